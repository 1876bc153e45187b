using System.Net;
using System.Net.Sockets;
using Shop.CommandLine;

namespace Shop.Web;

/// <summary>
/// The port of the page: the one asked for; otherwise the default one; otherwise any free one. Immutable.
/// </summary>
/// <param name="Number">The port.</param>
/// <param name="Note">What the user should know about the choice, or <c>null</c>.</param>
internal sealed record PagePort(int Number, string? Note)
{
    /// <summary>Chooses a port.</summary>
    /// <param name="wanted">The port that the user insists on, or <c>null</c>.</param>
    /// <exception cref="ShopStartException">That port is in use or not allowed.</exception>
    internal static PagePort Choose(int? wanted)
    {
        if (wanted is { } number)
        {
            return Probe(number) is { } problem
                ? throw new ShopStartException(
                    ShopExitCode.PortUnusable,
                    $"Port {number} cannot be used for the web page: {problem}. Choose another one with --port.")
                : new PagePort(number, null);
        }

        return Probe(ShopOptions.PortDefault) is { } taken
            ? new PagePort(FindFree(), $"Port {ShopOptions.PortDefault} cannot be used ({taken}); took a free one.")
            : new PagePort(ShopOptions.PortDefault, null);
    }

    private static string? Probe(int port)
    {
        try
        {
            using var listener = new TcpListener(IPAddress.Loopback, port);
            listener.Start();
            return null;
        }
        catch (SocketException failure)
        {
            return failure.Message;
        }
    }

    private static int FindFree()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
