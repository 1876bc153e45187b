using System.Net.Sockets;

namespace Cluster.Testing;

/// <summary>A loopback port that refuses every connection. The port is bound, so no other process can get it, but
/// nothing listens on it. A port that is only free could belong to another test when it is tried. Owned by one
/// test.</summary>
public sealed class RefusingPort : IDisposable
{
    private readonly Socket _bound = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    /// <summary>Takes a port.</summary>
    public RefusingPort() => _bound.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    /// <summary>The port.</summary>
    public int Number => ((IPEndPoint)_bound.LocalEndPoint!).Port;

    /// <summary>The address of a server that does not exist.</summary>
    public string Address => $"http://127.0.0.1:{Number}";

    /// <summary>Gives the port back.</summary>
    public void Dispose() => _bound.Dispose();
}
