using Cluster.Glue.Settings;

namespace Cluster.Glue.Substreams;

/// <summary>Limits the bytes of all transfers of one link in one direction, on all its substreams: two messages of the
/// largest size. The sender waits for room, so the receiver may refuse a transfer that exceeds it. Atomic.</summary>
internal sealed class TransferRoom(LinkSettings settings)
{
    private const int LargestMessages = 2;

    private long _takenBytes;

    public long BytesMax => (long)LargestMessages * settings.MaxMessageBytes;

    /// <summary>Takes room for a transfer that begins. False: there is not enough room.</summary>
    public bool TryTake(int bytes)
    {
        if (Interlocked.Add(ref _takenBytes, bytes) <= BytesMax)
            return true;
        GiveBack(bytes);
        return false;
    }

    /// <summary>Gives back the room of a transfer that has ended.</summary>
    public void GiveBack(int bytes) => Interlocked.Add(ref _takenBytes, -bytes);
}
