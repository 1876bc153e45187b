using Cluster.Glue.Client;
using Cluster.Glue.Filters;
using Cluster.Glue.Substreams;

namespace Cluster.Glue.Routes;

/// <summary>Carries calls to one address. Lives as long as its client and reconnects by itself; thread-safe.</summary>
internal interface ICallChannel
{
    string Address { get; }

    /// <summary>How its calls travel.</summary>
    GlueBinding Binding { get; }

    /// <summary>Starts a call if that is possible without a wait.</summary>
    StartResult TryStart(OutgoingCall call);

    /// <summary>Starts a call; waits for a connection or for room until the call's deadline.</summary>
    /// <exception cref="Cluster.Contracts.GlueException">It could not be started; it was not delivered.</exception>
    ValueTask StartAsync(OutgoingCall call);
}
