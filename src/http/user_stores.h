// http/user_stores.h: who uses the server, where they are logged in, and what they did with items. Part of Services;
// http/auth looks at it too.
#pragma once

namespace understudy::store {
class Collections;
class LoginAttempts;
class OpenSockets;
class ServerSettings;
class Sessions;
class UserData;
class Users;
}  // namespace understudy::store

namespace understudy::http {

class Passwords;

/// Null: not kept here; what needs it answers 501.
struct UserStores {
    store::Users* accounts = nullptr;
    store::UserData* data = nullptr;
    store::Collections* collections = nullptr;
    store::Sessions* sessions = nullptr;
    store::LoginAttempts* attempts = nullptr;
    store::ServerSettings* settings = nullptr;
    Passwords* passwords = nullptr;
    store::OpenSockets* sockets = nullptr;  ///< null: nobody has an event socket
};

}  // namespace understudy::http
