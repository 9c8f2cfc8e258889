/* What Node.js cannot do by itself for the processes that the jail separates, as a Node-API module. */
#define _GNU_SOURCE
#include <errno.h>
#include <node_api.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { arguments_max = 2 };

/* Reads the arguments of a call, all of which are integers; returns whether there are as many as wanted. */
static bool integers_of_call(napi_env env, napi_callback_info info, size_t wanted, int32_t *integers) {
  napi_value values[arguments_max];
  size_t count = arguments_max;
  bool is_valid = napi_get_cb_info(env, info, &count, values, NULL, NULL) == napi_ok && count == wanted;
  for (size_t i = 0; is_valid && i < wanted; i++)
    is_valid = napi_get_value_int32(env, values[i], &integers[i]) == napi_ok;
  if (!is_valid) napi_throw_type_error(env, NULL, "the function takes another number of integers");
  return is_valid;
}

static napi_value throw_errno(napi_env env, const char *what) {
  char message[128];
  strcpy(message, what);
  strcat(message, ": ");
  strncat(message, strerror(errno), sizeof message - strlen(message) - 1);
  napi_throw_error(env, NULL, message);
  return NULL;
}

static napi_value as_number(napi_env env, int32_t number) {
  napi_value value;
  return napi_create_int32(env, number, &value) == napi_ok ? value : NULL;
}

/* openSocketPair(): returns both ends of a pair of connected sockets. */
static napi_value open_socket_pair(napi_env env, napi_callback_info info) {
  int ends[2];
  napi_value pair;
  if (!integers_of_call(env, info, 0, NULL)) return NULL;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return throw_errno(env, "no sockets could be opened");
  napi_create_array_with_length(env, 2, &pair);
  for (uint32_t i = 0; i < 2; i++) napi_set_element(env, pair, i, as_number(env, ends[i]));
  return pair;
}

/* A message of one byte with room for one descriptor. */
typedef struct {
  struct msghdr header;
  struct iovec content;
  char byte;
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
} message_t;

static void prepare(message_t *message) {
  memset(message, 0, sizeof *message);
  message->content = (struct iovec){&message->byte, 1};
  message->header.msg_iov = &message->content;
  message->header.msg_iovlen = 1;
  message->header.msg_control = message->control;
  message->header.msg_controllen = sizeof message->control;
}

/* sendDescriptor(socket, descriptor): gives the process at the other end a descriptor of the same open file. */
static napi_value send_descriptor(napi_env env, napi_callback_info info) {
  int32_t given[2];
  if (!integers_of_call(env, info, 2, given)) return NULL;
  message_t message;
  prepare(&message);
  struct cmsghdr *header = CMSG_FIRSTHDR(&message.header);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &given[1], sizeof(int));
  ssize_t sent;
  do sent = sendmsg(given[0], &message.header, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent == 1 ? NULL : throw_errno(env, "a descriptor could not be sent");
}

/* receiveDescriptor(socket): returns the descriptor that was sent next. It must have been sent before. */
static napi_value receive_descriptor(napi_env env, napi_callback_info info) {
  int32_t given[1];
  if (!integers_of_call(env, info, 1, given)) return NULL;
  message_t message;
  prepare(&message);
  ssize_t got;
  do got = recvmsg(given[0], &message.header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  while (got < 0 && errno == EINTR);
  if (got < 0) return throw_errno(env, "a descriptor could not be received");
  struct cmsghdr *header = CMSG_FIRSTHDR(&message.header);
  if (got == 0 || !header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int))) {
    napi_throw_error(env, NULL, "a message arrived without a descriptor");
    return NULL;
  }
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return as_number(env, descriptor);
}

/* openMemoryFile(): opens a file without a name that exists in memory only. */
static napi_value open_memory_file(napi_env env, napi_callback_info info) {
  if (!integers_of_call(env, info, 0, NULL)) return NULL;
  int descriptor = memfd_create("assay", MFD_CLOEXEC);
  return descriptor < 0 ? throw_errno(env, "no file could be created in memory") : as_number(env, descriptor);
}

/* setGroupNiceness(group, niceness): sets the niceness of all threads of all processes in a process group. */
static napi_value set_group_niceness(napi_env env, napi_callback_info info) {
  int32_t given[2];
  if (!integers_of_call(env, info, 2, given)) return NULL;
  return setpriority(PRIO_PGRP, (id_t)given[0], given[1]) ? throw_errno(env, "the niceness could not be set") : NULL;
}

/*
 * refuseInspection(): from now on, processes of the same user cannot read this process's memory, environment and open
 * files, nor trace it. The programs that this process starts are not affected.
 */
static napi_value refuse_inspection(napi_env env, napi_callback_info info) {
  if (!integers_of_call(env, info, 0, NULL)) return NULL;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ? throw_errno(env, "PR_SET_DUMPABLE failed") : NULL;
}

static void export(napi_env env, napi_value exports, const char *name, napi_callback callback) {
  napi_value function;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, NULL, &function);
  napi_set_named_property(env, exports, name, function);
}

NAPI_MODULE_INIT() {
  export(env, exports, "openSocketPair", open_socket_pair);
  export(env, exports, "sendDescriptor", send_descriptor);
  export(env, exports, "receiveDescriptor", receive_descriptor);
  export(env, exports, "openMemoryFile", open_memory_file);
  export(env, exports, "setGroupNiceness", set_group_niceness);
  export(env, exports, "refuseInspection", refuse_inspection);
  return exports;
}
