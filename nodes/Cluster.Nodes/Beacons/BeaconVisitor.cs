using Cluster.Nodes.Liveness;

namespace Cluster.Nodes.Beacons;

/// <summary>A node that is connected, and the answer to its newest beacon, which is exchanged atomically.</summary>
/// <param name="connection">Its connection.</param>
internal sealed class BeaconVisitor(LivenessConnection connection)
{
    private byte[]? _answer;

    public LivenessConnection Connection { get; } = connection;

    /// <summary>Sets what the node gets as the answer.</summary>
    public void Answer(byte[] frame) => Interlocked.Exchange(ref _answer, frame);

    /// <summary>Takes the answer; null: there is none.</summary>
    public byte[]? TakeAnswer() => Interlocked.Exchange(ref _answer, null);
}
