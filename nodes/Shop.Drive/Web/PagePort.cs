using System.Net.Sockets;
using Shop.Drive.CommandLine;

namespace Shop.Drive.Web;

/// <summary>The port of the page: the port that the user asked for. Without such a port it is the default port, or any
/// free port if the default port is in use. The port is opened once and stays open until the web server takes it over:
/// if it were only probed, another shop could open it first. Owned by the run.</summary>
internal sealed class PagePort : IDisposable
{
    // The server sets its own queue length when it takes the socket over.
    private const int QueueLength = 512;

    private PagePort(Socket listener, string? note)
    {
        Listener = listener;
        Note = note;
    }

    /// <summary>The open port, which already listens. The web server disposes it after it has taken it over.</summary>
    public Socket Listener { get; }

    /// <summary>The address of the page.</summary>
    public IPEndPoint EndPoint => (IPEndPoint)Listener.LocalEndPoint!;

    /// <summary>A message for the user if the default port was not available; otherwise <c>null</c>.</summary>
    public string? Note { get; }

    /// <summary>Opens a port.</summary>
    /// <param name="wanted">The port that the user asked for, or <c>null</c>.</param>
    /// <exception cref="ShopStartException">The port is in use or not allowed.</exception>
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

    /// <summary>Closes the port if it is still open.</summary>
    public void Dispose() => Listener.Dispose();

    // The method must listen, not only bind: on Unix, two sockets may be bound to one port as long as neither listens.
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
