namespace Cluster.Benchmarks.Glue;

/// <summary>The started peer and its addresses. Disposal ends it.</summary>
internal sealed class PeerProcess : IDisposable
{
    private readonly ChildPeer _process;

    private PeerProcess(ChildPeer process)
    {
        var addresses = process.FirstLine.Split(' ');
        _process = process;
        GlueAddress = addresses[0];
        BareAddress = addresses[1];
        TcpPort = int.Parse(addresses[2], CultureInfo.InvariantCulture);
        JsonRpcPort = int.Parse(addresses[3], CultureInfo.InvariantCulture);
        TlsAddress = addresses[4];
        Authority = addresses[5];
    }

    public string GlueAddress { get; }

    /// <summary>Kestrel alone and the stock gRPC server.</summary>
    public string BareAddress { get; }

    public int TcpPort { get; }

    public int JsonRpcPort { get; }

    /// <summary>The same server over TLS.</summary>
    public string TlsAddress { get; }

    /// <summary>The certificate of the authority to trust there, in base 64.</summary>
    public string Authority { get; }

    /// <summary>What the peer has used of the processors so far.</summary>
    public TimeSpan ProcessorTime => _process.ProcessorTime;

    public static PeerProcess Start() => new(ChildPeer.Start(GluePeer.Argument));

    public void Dispose() => _process.Dispose();
}
