//===- Between.cpp - clangd, with something between it and the editor ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Between.h"
#include "opsig/Lsp/Frame.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace opsig {

bool talksToEditor(llvm::ArrayRef<const char *> Arguments) {
  for (llvm::StringRef Argument : Arguments.drop_front()) {
    if (!Argument.consume_front("-"))
      continue;
    Argument.consume_front("-");
    llvm::StringRef Name = Argument.split('=').first;
    if (Name == "h" || Name.starts_with("help") || Name == "version" || Name.starts_with("check") ||
        Name == "lit-test" || Name == "test" || Name == "input-style")
      return false;
  }
  return true;
}

namespace {

/// A descriptor to write whole messages to, by several threads.
class MessageStream {
public:
  explicit MessageStream(int Descriptor) : Descriptor(Descriptor) {}

  /// What nobody reads any more is lost.
  void send(llvm::StringRef Body) {
    std::string Bytes = framed(Body);
    std::lock_guard Lock(Mutex);
    for (llvm::StringRef Rest = Bytes; !Rest.empty() && Descriptor >= 0;) {
      ssize_t Count = write(Descriptor, Rest.data(), Rest.size());
      if (Count >= 0)
        Rest = Rest.drop_front(Count);
      else if (errno != EINTR)
        return;
    }
  }
  void close() {
    std::lock_guard Lock(Mutex);
    if (Descriptor >= 0)
      ::close(Descriptor);
    Descriptor = -1;
  }

private:
  std::mutex Mutex;
  int Descriptor;
};

/// Calls \p Use with each message until the stream ends.
void readMessages(int Descriptor, llvm::function_ref<void(std::string)> Use) {
  FrameReader Frames;
  std::vector<char> Room(1 << 16);
  while (true) {
    ssize_t Count = read(Descriptor, Room.data(), Room.size());
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return;
    Frames.add({Room.data(), size_t(Count)});
    while (std::optional<std::string> Body = Frames.next())
      Use(std::move(*Body));
  }
}

/// Not for programs that clangd starts.
void keepOwn(int Descriptor) { fcntl(Descriptor, F_SETFD, FD_CLOEXEC); }

} // namespace

void runBetween(ClangdProxy &Proxy, const std::function<int()> &Clangd) {
  // An editor that is gone is seen by what it does not send.
  std::signal(SIGPIPE, SIG_IGN);
  int EditorIn = dup(STDIN_FILENO), EditorOut = dup(STDOUT_FILENO);
  int ToClangd[2], FromClangd[2];
  if (EditorIn < 0 || EditorOut < 0 || pipe(ToClangd) || pipe(FromClangd) ||
      dup2(ToClangd[0], STDIN_FILENO) < 0 || dup2(FromClangd[1], STDOUT_FILENO) < 0) {
    llvm::errs() << "opsig-clangd: error: cannot create pipes\n";
    std::_Exit(1);
  }
  close(ToClangd[0]);
  close(FromClangd[1]);
  for (int Descriptor : {EditorIn, EditorOut, ToClangd[1], FromClangd[0]})
    keepOwn(Descriptor);

  // Threads that are not waited for may use these to the end.
  static MessageStream Server(ToClangd[1]), Client(EditorOut);
  auto Deliver = [](const ProxyOutput &Out) {
    for (const std::string &Body : Out.ToClient)
      Client.send(Body);
    for (const std::string &Body : Out.ToServer)
      Server.send(Body);
  };
  std::thread([&Proxy, Deliver, EditorIn] {
    readMessages(EditorIn, [&](std::string Body) { Deliver(Proxy.fromClient(std::move(Body))); });
    Server.close();
  }).detach();
  std::thread Answers([&Proxy, Deliver, From = FromClangd[0]] {
    readMessages(From, [&](std::string Body) { Deliver(Proxy.fromServer(std::move(Body))); });
  });
  int Status = Clangd();
  llvm::outs().flush();
  close(STDOUT_FILENO);
  Answers.join();
  std::_Exit(Status);
}

} // namespace opsig
