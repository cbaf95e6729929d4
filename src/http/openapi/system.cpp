// The server itself: health, metrics, what clients ask before they log in, this document.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"PublicSystemInfo",
     "LocalAddress:string? ServerName:string? Version:string? ProductName:string? OperatingSystem:string? "
     "Id:string? StartupWizardCompleted:bool?"},
    {"Readiness",
     "ready:bool status:(Healthy|Degraded|Unhealthy) phase:string detail:string~ product:string version:string "
     "pod:string baseUrl:string database:DatabaseHealth lease:LeaseHealth degraded:[HealthNote] notes:[HealthNote]"},
    {"DatabaseHealth", "reachable:bool migrated:bool detail:string~"},
    {"LeaseHealth", "standing:Standing provider:string outage:string~"},
    {"HealthNote", "component:string reason:string"},
    {"Problem", "type:string title:string status:int32 detail:string errors:{[string]}"},
};

constexpr OperationRow operations[] = {
    {get, "/health", "GetHealth", "Health", "One word on how this pod does.", "200:text 503:text"},
    {get, "/health/live", "GetLiveness", "Health", "Whether the process lives.", "200:text"},
    {get, "/health/ready", "GetReadiness", "Health", "Whether this pod may be sent requests, and why not.",
     "200:Readiness 503:Readiness"},
    {get, "/metrics", "GetMetrics", "Health", "Figures in the text format of Prometheus.", "200:text"},
    {get, "/System/Info/Public", "GetPublicSystemInfo", "System", "What a client may know before it logs in.",
     "200:PublicSystemInfo"},
    {get, "/System/Ping", "GetPingSystem", "System", "The name of the product.", "200:string"},
    {post, "/System/Ping", "PostPingSystem", "System", "The name of the product.", "200:string"},
    {get, "/QuickConnect/Enabled", "GetQuickConnectEnabled", "QuickConnect", "Whether Quick Connect may be used.",
     "200:bool"},
    {get, "/api-docs/openapi.json", "GetApiDocument", "System", "This document.", "200:object 304"},
};

}  // namespace

Group system_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
