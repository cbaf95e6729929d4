// media/ffmpeg/keyframes.h: finds the keyframes of a file's first video stream in its index. Used by the worker.
#pragma once

#include "core/result.h"
#include "media/byte_source.h"
#include "media/keyframes.h"

namespace understudy::media {

/// Never decodes. By container:
/// - MP4, MOV: the sample tables (stts, ctts, stss, edit lists); fragmented files: those of each fragment. Exact.
/// - Matroska, WebM: the Cues, if they list every keyframe. Cues are an index and may leave some out, so they are
/// looked
///   at against the blocks at the start, in the longest gap, in a middle one and behind the last entry. If a keyframe
///   turns up there that is not listed, or there are no Cues, the flags of all blocks are read: exact, but as slow as
///   reading the file. Cues that are complete in those places and leave something out elsewhere are believed.
/// - AVI: idx1 or the OpenDML index; it keeps frames in decoding order and no presentation times, so with B-frames a
///   time is that of decoding.
/// - MPEG-TS, MPEG-PS, FLV and all others, and an AVI whose index is short: the packets' flags.
/// Errors: corrupt, unsupported (no video), unavailable (a read failed).
[[nodiscard]] core::Result<Keyframes> read_keyframes(ByteSource& bytes);

}  // namespace understudy::media
