// The notation of transcripts: replies and effects as lines of text.
//
// The text of a reply is redis-cli's, made lossless, because a transcript is a test of the wire and
// redis-cli prints several types alike:
//
//   +OK      OK                 $-1    (nil)            _       (nil)
//   -ERR x   (error) ERR x      *-1    (nil array)      #t      (true)
//   :1       (integer) 1        *0     (empty array)    ,1.5    (double) 1.5
//   $1 v     "v"                %0     (empty map)      (1      (big number) 1
//   *2       1) "a"             ~0     (empty set)      =txt:a  (verbatim) "a"
//            2) "b"             >0     (empty push)     !x      (blob error) x
//   ~1       1~ "a"             >1     1> "a"           %1      1# "a" => "b"
//
// More than 64 equal bytes are written {x*1000}, also in commands, so that a megabyte fits a line.
#pragma once

#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/resp/reply_parser.h"

namespace hotkv::transcripts {

// The bytes in double quotes, long runs shortened.
std::string quoted(Bytes bytes);

// As quoted(), but bytes that need no quotes stay bare: words of commands and effects.
std::string quoted_if_needed(Bytes bytes);

// Words of one command line. False when quotes do not balance.
bool split_command(Bytes line, std::vector<std::string>* words);

// {x*1000} in one word becomes 1000 times x.
std::string expand_runs(Bytes word);

// The words as the bytes that a client sends.
std::string command_bytes(const std::vector<std::string>& words);

// The reply as lines.
std::vector<std::string> reply_lines(const Reply& reply);

// Sorts what has no order: elements of arrays and sets that hold only bulk strings, pairs of maps.
void sort_unordered(Reply* reply);

}  // namespace hotkv::transcripts
