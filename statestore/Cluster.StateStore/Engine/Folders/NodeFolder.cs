using System.Security.Cryptography;
using Cluster.Pile;
using Cluster.Pile.Hosting;
using Cluster.Slim.Hosting;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Engine.Folders;

/// <summary>The mapped folder of a node. The files of a pile hold the records of the node's partitions. A file of marks
/// says for each partition up to which entry its records are complete. The folder outlives the process, not the
/// machine. The pile's lock keeps a second process out. Owned by the node's store.</summary>
internal sealed class NodeFolder : IDisposable
{
    private const string TableName = "node";
    private const string OwnerKey = "owner";
    private const string MarksFile = "marks";
    private const ulong HashSeed = 0;

    private readonly MappedMarkMemory _memory;

    private NodeFolder(MappedMarkMemory memory, ReplicaMarks marks) => (_memory, Marks) = (memory, marks);

    /// <summary>The marks of the partitions.</summary>
    public IReplicaMarks Marks { get; }

    /// <summary>Which other user can write there, and what follows; null: nobody can.</summary>
    public string? Sharing { get; private init; }

    /// <summary>Checks whose folder it is, or makes it that of this node if it is new, and opens the marks.</summary>
    /// <param name="pile">The pile of the folder.</param>
    /// <param name="folder">The folder.</param>
    /// <param name="owner">This node.</param>
    /// <param name="partitionCountMax">The most partitions that the cluster can have.</param>
    /// <exception cref="IOException">It belongs to another node, or cannot be used; the message says why, and what to
    /// do.</exception>
    public static NodeFolder Open(LocalPile pile, string folder, FolderOwner owner, int partitionCountMax)
    {
        var binding = Claim(pile, folder, owner);
        try
        {
            var path = Path.Combine(folder, MarksFile);
            MarkFile.MakeWhereNeeded(path, binding, partitionCountMax);
            var memory = new MappedMarkMemory(path);
            return new NodeFolder(
                memory, new ReplicaMarks(memory, MarkFile.HeaderWords, partitionCountMax, binding))
            {
                Sharing = PrivateFolder.FindRisk(folder) is { } risk
                    ? $"{folder}: {risk}. Whoever can write there can change the values of the cluster."
                    : null,
            };
        }
        catch (UnauthorizedAccessException refusal)
        {
            throw new IOException(
                $"{refusal.Message} Grant this process the right to write in {folder}, or choose another folder.",
                refusal);
        }
    }

    /// <inheritdoc />
    public void Dispose()
    {
        // The pile is written to the disk later. A mark that the disk has must not promise more than the pile there.
        _memory.Flush();
        _memory.Dispose();
    }

    // The owner is a record of the pile itself, so it cannot be that of another pile.
    private static ulong Claim(LocalPile pile, string folder, FolderOwner owner)
    {
        var known = StampedTable.ListNames(pile);
        var table = StampedTable.Open(
            pile, new StampedTableOptions { Name = TableName, KeyForm = "text", HashSeed = HashSeed });
        var key = Encoding.UTF8.GetBytes(OwnerKey);
        var hash = XxHash3.Hash(key, HashSeed);
        if (table.TryReadStamp(hash, key, out _, out var length))
        {
            var bytes = new byte[RecordStamp.Bytes + length];
            table.TryRead(hash, key, bytes, out _);
            return BindingOf(bytes.AsSpan(RecordStamp.Bytes), folder, owner);
        }

        if (known.Any(static name => name != TableName))
            throw Foreign(folder, "It is that of a pile, and of no node.");
        var binding = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(ulong)));
        table.Put(hash, key, new RecordStamp(1, 0), (owner with { Binding = binding }).Encode(), out _);
        return binding;
    }

    private static ulong BindingOf(ReadOnlySpan<byte> record, string folder, FolderOwner owner)
    {
        try
        {
            var found = FolderOwner.Decode(record);
            return owner.FindDifference(found) is { } difference ? throw Foreign(folder, difference) : found.Binding;
        }
        catch (StateFormatException malformed)
        {
            throw Foreign(folder, malformed.Message, malformed);
        }
    }

    private static IOException Foreign(string folder, string difference, Exception? inner = null) => new(
        $"The folder {folder} is not that of this node. {difference} Choose another folder for this node, or delete "
        + "this one: other nodes have the copies that this node needs.",
        inner);
}
