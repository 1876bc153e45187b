using Cluster.Glue.Settings;

namespace Cluster.Glue.Substreams;

/// <summary>Bounds what the transfers of one link and direction may hold together, on all its substreams: two messages
/// of the largest size. The sender waits for room, so that the receiver may refuse what exceeds it. Atomic.</summary>
internal sealed class TransferRoom(LinkSettings settings)
{
    private const int LargestMessages = 2;

    private long _takenBytes;

    public long BytesMax => (long)LargestMessages * settings.MaxMessageBytes;

    /// <summary>Takes room for a transfer that begins; false when there is not enough.</summary>
    public bool TryTake(int bytes)
    {
        if (Interlocked.Add(ref _takenBytes, bytes) <= BytesMax)
            return true;
        GiveBack(bytes);
        return false;
    }

    /// <summary>A transfer has ended.</summary>
    public void GiveBack(int bytes) => Interlocked.Add(ref _takenBytes, -bytes);
}
