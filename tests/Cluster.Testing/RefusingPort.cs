using System.Net.Sockets;

namespace Cluster.Testing;

/// <summary>A loopback port that refuses every connection and that nobody else can get meanwhile: it is bound, but
/// nobody listens. A port that was merely free a moment ago may belong to another test by the time it is tried. Owned
/// by one test.</summary>
public sealed class RefusingPort : IDisposable
{
    private readonly Socket _bound = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    /// <summary>Takes a port.</summary>
    public RefusingPort() => _bound.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    /// <summary>The port.</summary>
    public int Number => ((IPEndPoint)_bound.LocalEndPoint!).Port;

    /// <summary>The address of a server that is not there.</summary>
    public string Address => $"http://127.0.0.1:{Number}";

    /// <summary>Gives the port back.</summary>
    public void Dispose() => _bound.Dispose();
}
