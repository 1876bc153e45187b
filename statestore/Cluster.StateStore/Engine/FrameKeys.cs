using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Engine;

/// <summary>Checks that the keys in a frame belong to the partitions that the frame names. A record with another key
/// would lie among those of another partition, and replace one of them. Stateless.</summary>
internal static class FrameKeys
{
    public static bool AreInPlace(object frame, PartitionHash hash) => frame switch
    {
        AppendFrame append => AreInPlace(append, hash),
        CopyChunk chunk => AreInPlace(chunk, hash),
        _ => true,
    };

    private static bool AreInPlace(AppendFrame frame, PartitionHash hash)
    {
        foreach (var item in frame.Items)
        {
            foreach (var logged in item.Entries)
            {
                var entry = LogEntryCodec.Read(logged.Bytes);
                if (entry.Kind != EntryKind.Remember && !IsInPlace(entry.Key, item.Partition, hash))
                    return false;
            }
        }

        return true;
    }

    private static bool AreInPlace(CopyChunk chunk, PartitionHash hash)
    {
        foreach (var record in chunk.Records)
        {
            if (!IsInPlace(record.Key, chunk.Ask.Partition, hash))
                return false;
        }

        return true;
    }

    private static bool IsInPlace(in StateKey key, PartitionId partition, PartitionHash hash) =>
        hash.IsIn(hash.Hash(key.Bytes.Span), partition);
}
