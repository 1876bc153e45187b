using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Engine.Folders;

/// <summary>Whose folder it is: the pile of the folder keeps it as a record. Immutable.</summary>
/// <param name="ClusterId">The identity of the cluster.</param>
/// <param name="PartitionCount">The partitions of each set.</param>
/// <param name="HashSeed">The seed with which keys are hashed.</param>
/// <param name="NodeName">The name of the node.</param>
internal sealed record FolderOwner(Guid ClusterId, int PartitionCount, ulong HashSeed, string NodeName)
{
    private const byte FormatVersion = 1;

    /// <summary>Drawn when the folder is made. The file of marks has it, too: marks of another pile promise
    /// nothing.</summary>
    public ulong Binding { get; init; }

    /// <summary>Reads what <see cref="Encode"/> has written.</summary>
    /// <exception cref="StateFormatException">The bytes are something else.</exception>
    public static FolderOwner Decode(ReadOnlySpan<byte> bytes)
    {
        var input = new FormatReader(bytes, "Owner of a node's folder");
        if (input.Byte() is var version && version != FormatVersion)
            throw input.Malformed($"format version {version} was found, {FormatVersion} expected");
        var clusterId = input.Guid();
        var partitionCount = input.Count(ClusterMeta.MaxPartitionCount, "partitions");
        var (seed, binding) = (input.UInt64(), input.UInt64());
        var owner = new FolderOwner(clusterId, partitionCount, seed, input.Text(ClusterTableCodec.MaxTextBytes))
        {
            Binding = binding,
        };
        input.End();
        return owner;
    }

    /// <summary>Returns the bytes of the record.</summary>
    public byte[] Encode()
    {
        var output = new FormatWriter(capacity: 128);
        output.Byte(FormatVersion);
        output.Guid(ClusterId);
        output.Varint((uint)PartitionCount);
        output.UInt64(HashSeed);
        output.UInt64(Binding);
        output.Text(NodeName);
        return output.Written.ToArray();
    }

    /// <summary>Returns why a node cannot use the folder of another owner; null: it can.</summary>
    /// <param name="found">The owner of the folder.</param>
    public string? FindDifference(FolderOwner found)
    {
        if (found.ClusterId != ClusterId)
            return $"It belongs to cluster {found.ClusterId:N}, and this node to cluster {ClusterId:N}.";
        if (found.PartitionCount != PartitionCount)
            return $"Its cluster has {found.PartitionCount} partitions, and that of this node {PartitionCount}.";
        if (found.HashSeed != HashSeed)
            return $"Its keys are hashed with seed {found.HashSeed:x16}, and those of this node with {HashSeed:x16}.";
        return found.NodeName != NodeName
            ? $"It belongs to node '{found.NodeName}', and this node is '{NodeName}'."
            : null;
    }
}
