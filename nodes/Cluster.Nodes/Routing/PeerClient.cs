using Cluster.Glue;
using Cluster.Nodes.Configuration;
using Microsoft.Extensions.Options;

namespace Cluster.Nodes.Routing;

/// <summary>The client by which this process talks to other nodes as a node. It has the options of the host's own
/// client. In addition it proves the cluster's secret and asks every server for the same proof; the host's own client
/// may talk to strangers. Owned by the host.</summary>
internal sealed class PeerClient : IAsyncDisposable
{
    public PeerClient(IOptionsFactory<GlueClientOptions> options, PeerTrust trust)
    {
        var own = options.Create(Options.DefaultName);
        own.PeerIdentity = trust.Identity;
        own.Transport = GlueTransport.Link;
        Glue = new GlueClient(own);
    }

    public GlueClient Glue { get; }

    public ValueTask DisposeAsync() => Glue.DisposeAsync();
}
