using System.Net.Sockets;
using Shop.Drive.CommandLine;

namespace Shop.Drive.Web;

/// <summary>The port of the page: the one asked for; otherwise the default one; otherwise any free one. The port is
/// opened once and stays open until the web server takes it over, because a port that is only probed can be taken by
/// another shop before the server opens it. Owned by the run.</summary>
internal sealed class PagePort : IDisposable
{
    // The server sets its own queue length when it takes the socket over.
    private const int QueueLength = 512;

    private PagePort(Socket listener, string? note)
    {
        Listener = listener;
        Note = note;
    }

    /// <summary>The open port: it listens, and the web server disposes it when it has taken it over.</summary>
    public Socket Listener { get; }

    /// <summary>Where the page answers.</summary>
    public IPEndPoint EndPoint => (IPEndPoint)Listener.LocalEndPoint!;

    /// <summary>What the user should know about the choice, or <c>null</c>.</summary>
    public string? Note { get; }

    /// <summary>Opens a port.</summary>
    /// <param name="wanted">The port that the user insists on, or <c>null</c>.</param>
    /// <exception cref="ShopStartException">That port is in use or not allowed.</exception>
    public static PagePort Open(int? wanted)
    {
        if (TryListen(wanted ?? ShopOptions.PortDefault, out var problem) is { } listener)
            return new PagePort(listener, note: null);

        if (wanted is not null)
        {
            throw new ShopStartException(
                ShopExitCode.PortUnusable,
                $"Port {wanted} cannot be used for the web page: {problem}. Choose another one with --port.");
        }

        return new PagePort(
            TryListen(port: 0, out var trouble) ?? throw new ShopStartException(
                ShopExitCode.PortUnusable,
                $"No free port for the web page: {trouble}. Choose one with --port."),
            $"Port {ShopOptions.PortDefault} cannot be used ({problem}); took a free one.");
    }

    /// <summary>Closes the port, if it is still open.</summary>
    public void Dispose() => Listener.Dispose();

    // Listening and not only binding: on Unix, two sockets may be bound to one port as long as neither listens.
    private static Socket? TryListen(int port, out string? problem)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
            socket.Listen(QueueLength);
            problem = null;
            return socket;
        }
        catch (SocketException failure)
        {
            socket.Dispose();
            problem = failure.Message;
            return null;
        }
    }
}
