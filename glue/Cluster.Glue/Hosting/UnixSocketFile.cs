using System.Net.Sockets;
using System.Runtime.Versioning;

namespace Cluster.Glue.Hosting;

/// <summary>Prepares the file of a Unix domain socket: its folder must be closed to other users, and the file of a
/// killed process is removed, which only a failed connect proves. Stateless.</summary>
internal static class UnixSocketFile
{
    private const UnixFileMode Others = UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute;

    private const UnixFileMode Own = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    // ENXIO of Linux and EOPNOTSUPP of macOS: the results of opening a socket.
    private const int NoSuchDevice = 6;
    private const int NotSupported = 102;

    /// <exception cref="GlueListenException">The folder is open to others, or somebody listens there.</exception>
    public static void Prepare(string path, string option)
    {
        if (OperatingSystem.IsWindows())
        {
            throw new GlueListenException(
                $"unix://{path}: Unix domain sockets need Linux or macOS; set {option} to http://ip:port.", null);
        }

        try
        {
            MakeRoom(path, option);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new GlueListenException(
                $"unix://{path} cannot be used: {failure.Message} "
                + $"Set {option} to a path that this process may write to.",
                failure);
        }
    }

    [UnsupportedOSPlatform("windows")]
    private static void MakeRoom(string path, string option)
    {
        var folder = Path.GetDirectoryName(path)!;
        Directory.CreateDirectory(folder, Own);
        if ((File.GetUnixFileMode(folder) & Others) != 0)
        {
            throw new GlueListenException(
                $"unix://{path}: others may enter {folder}; "
                + $"set {option} to a path in a folder of its own with mode 0700.",
                null);
        }

        if (!Path.Exists(path))
            return;
        if (!IsSocket(path))
        {
            throw new GlueListenException(
                $"unix://{path} names something that is no socket; it is left as it is. Set {option} to the path of a "
                + "socket, or to one where nothing is.",
                null);
        }

        if (IsListening(path, option))
        {
            throw new GlueListenException(
                $"unix://{path} is in use; set {option} to another path.", null);
        }

        File.Delete(path);
    }

    // A socket is the one kind of file that cannot be opened. Opened for reading and writing, a named pipe does not
    // block.
    private static bool IsSocket(string path)
    {
        if ((File.GetAttributes(path) & (FileAttributes.Directory | FileAttributes.ReparsePoint)) != 0)
            return false;
        try
        {
            File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite).Dispose();
            return false;
        }
        catch (UnauthorizedAccessException)
        {
            return false;
        }
        catch (IOException exception)
        {
            return exception.HResult == (OperatingSystem.IsLinux() ? NoSuchDevice : NotSupported);
        }
    }

    private static bool IsListening(string path, string option)
    {
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        // A blocking connect would wait while the queue of a busy listener is full.
        socket.Blocking = false;
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(path));
            return true;
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.ConnectionRefused)
        {
            return false;
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.WouldBlock)
        {
            return true;
        }
        catch (SocketException exception)
        {
            // For example a socket of another kind, or one of another user.
            throw new GlueListenException(
                $"unix://{path} cannot be used: whether another process listens there is not known "
                + $"({exception.Message}). Set {option} to another path.",
                exception);
        }
    }
}
