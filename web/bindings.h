// The exported functions of hotkv-core.wasm: a lesson run by the engine, for web/engine.js.
//
// One module instance runs one lesson. Strings go in as (address, size) of bytes that the caller
// has put into memory from malloc; a function that answers text leaves it in a result buffer:
// hotkv_result() is its address, and the return value its size, valid until the next call. JSON
// text is ASCII: each byte above 0x7e is \u00xx, so that any bytes survive (decode as latin-1).
//
// Nothing here throws, prints or reads a clock. "Back" is hotkv_open again and fewer events.
#pragma once

#include <cstdint>

extern "C" {

const char* hotkv_result();

// Reads a scenario file. Answers {"error":...} or the lesson: {id, version, seed, params:[{name,
// value}], nodes:[{id}], databases:[{id}], clients:[{id,name}], steps:[{id}], tries:[{id}],
// counters:[{id}], invariants:[{id,text}], goals:[{id}]}.
int hotkv_lesson(const char* text, int size);

// Begins a run at event 0. `seed` is decimal text; `params` are lines "name=value". Answers "" or a
// sentence that says which of them is wrong.
int hotkv_open(const char* seed, int seed_size, const char* params, int params_size);

// Carries out one event; 0 at the end.
int hotkv_advance();
// {event, step, time_us, next_us, ended}; step = steps done, next_us = time of the next event.
int hotkv_position();
// Event numbers at which the steps ended: [n, ...].
int hotkv_step_ends();

// A client says a line, as an input after the present event. The number for hotkv_reply; 0 = there
// is no such client or node, or the line's quotes do not balance.
uint32_t hotkv_exec(const char* client, int client_size, const char* node, int node_size,
                    const char* line, int line_size);
// {text, resp, event} of an exec whose reply has come, else "".
int hotkv_reply(uint32_t number);
// Does something to an actor, a link or a message in flight, after the present event (lesson.h:
// act). `ms` is decimal text, "0" where the action needs none. 0 = not possible, nothing was done.
int hotkv_act(const char* id, int id_size, const char* action, int action_size, const char* ms,
              int ms_size);
// The inputs in the `x` of a link, those that can be read (input_log.h): [{at, do, id, arg}, or for
// what was typed {at, do, client, node, line}].
int hotkv_inputs(const char* text, int size);
// Turns the script into a what-if; 0 = unknown, or the run has begun.
int hotkv_attempt(const char* id, int size);

// {event, step, time_us, ended, telling, flight, nodes:[{id,role,up,paused,clock_ms,keys:[{db,key,
// value,ttl_ms,number}]}], clients:[{id,name,up,paused,holding,token,line,text}], links:[{id,from,
// to,cut}], messages:[{id,link,from,to,kind,label,due_us}], counters:[{id,value}],
// invariants:[{id,holds}], goals:[{id,reached}]}
int hotkv_state();
// [{client, node, note, prompt, step, line, text|null, resp, time_us, event, typed, lost}]; a note
// has no line: it is what a client's recipe came to.
int hotkv_transcript();
// All that the trace says about one thing (view/facts.h): {id, kind, title, sections:[{name,
// facts:[{name, value, form, item}]}]}. `at` is decimal microseconds; an instant before the present
// event counts as the present event's.
int hotkv_facts(const char* id, int id_size, const char* at, int at_size);
// The trace up to the present event, JSON Lines, without its first `from` bytes.
int hotkv_trace_from(int from);
int hotkv_hash();  // 16 hexadecimal digits.

// ["word", ...] that can stand at the end of the line; hotkv_completion_start: where that word
// begins.
int hotkv_complete(const char* line, int size);
int hotkv_completion_start(const char* line, int size);
int hotkv_hint(const char* line, int size);
int hotkv_help(const char* name, int size);
int hotkv_version();
}
