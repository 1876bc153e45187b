namespace Cluster.StateStore.Messages;

/// <summary>How the state stores of two nodes talk to each other about tables, leases and replicas. The runtime serves
/// it over the network; a frame may be lost, and may come twice.</summary>
public interface IStateFrames
{
    /// <summary>Hands a frame over.</summary>
    /// <param name="frame">The frame, as <c>docs/formats/state-protocol.md</c> describes it.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    [OneWay]
    Task DeliverAsync(byte[] frame, CancellationToken cancellationToken);
}
