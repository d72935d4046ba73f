// Player: runs one block of a transcript on a target and says where it differs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/transcripts/pattern.h"
#include "tests/transcripts/target.h"
#include "tests/transcripts/transcript.h"

namespace hotkv::transcripts {

// What a step really printed where it was not as expected.
struct Mismatch {
  const Step* step = nullptr;
  bool of_effects = false;
  std::vector<std::string> actual;
};

class Player {
 public:
  // With `keep_going`, later steps run after a mismatch (for rewriting).
  Player(Target* target, bool keep_going) : target_(target), keep_going_(keep_going) {}

  // An error when the target itself failed; else `mismatches` tells.
  Status play(const Block& block, std::vector<Mismatch>* mismatches);

 private:
  struct Client {
    int number = 0;
    bool closed = false;
    std::string bytes;  // Received and not yet read.
  };

  Status perform(const Step& step);
  Status send_step(const Step& step, Client* client);
  bool check_replies(const Step& step, std::vector<std::string>* actual);
  bool check_effects(const Step& step, std::vector<std::string>* actual);
  // One reply as lines: of a reply, or "(no reply)", "(closed)", or raw bytes.
  std::vector<std::string> next_lines(Client* client, const std::string& expected, bool unordered,
                                      int wait_ms);
  std::string next_raw(Client* client, size_t length);
  void refresh_clock();
  Client* client_of(const std::string& name);

  Target* target_;
  bool keep_going_;
  std::map<std::string, Client> clients_;
  Variables variables_;
};

}  // namespace hotkv::transcripts
