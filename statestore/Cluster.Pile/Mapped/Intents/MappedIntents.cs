using Cluster.Pile.Files;
using Cluster.Pile.Memory;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Mapped.Intents;

/// <summary>The mapped file of the intents, at its own addresses. Owned by the folder.</summary>
internal sealed class MappedIntents
{
    private readonly NativeRange _addresses;

    /// <summary>Maps the file, which already has its size and its disk space.</summary>
    public MappedIntents(SafeFileHandle file, ulong identity)
    {
        _addresses = NativeRangePool.Rent(NativeMemorySource.ForThisSystem, UpdateIntents.FileBytes);
        if (!FileMapping.TryShow(file, 0, _addresses.Address, UpdateIntents.FileBytes))
        {
            NativeRangePool.Return(_addresses);
            throw new InsufficientMemoryException(
                $"The system refused to map {UpdateIntents.FileBytes:N0} bytes; raise the limit on the mappings of "
                + "this process.");
        }

        Records = new UpdateIntents(new NativeWindow(_addresses.Address, UpdateIntents.FileBytes), identity);
    }

    public UpdateIntents Records { get; }

    /// <summary>Replaces the file by zero pages and gives the addresses to the next pile.</summary>
    public void Release()
    {
        if (FileMapping.TryHide(_addresses.Address, UpdateIntents.FileBytes))
            NativeRangePool.Return(_addresses);
    }
}
