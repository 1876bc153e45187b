using Cluster.StateStore.Engine.Snapshots;

namespace Cluster.StateStore.Engine.Folders;

/// <summary>The file of marks, as <c>docs/formats/node-folder.md</c> describes it. Stateless.</summary>
internal static class MarkFile
{
    /// <summary>The words before the marks: magic, version and count of partitions, binding.</summary>
    public const int HeaderWords = 3;

    private const ulong Magic = 0x314B_4D45_444F_4E43; // CNODEMK1
    private const ulong Version = 1;
    private const int VersionBits = 32;
    private const int WordBytes = sizeof(ulong);
    private const string NewEnding = ".new";

    /// <summary>Makes a file without marks, unless there is one of this pile and of as many partitions.</summary>
    /// <param name="path">The file.</param>
    /// <param name="binding">The number of the pile.</param>
    /// <param name="partitionCount">The partitions.</param>
    public static void MakeWhereNeeded(string path, ulong binding, int partitionCount)
    {
        var header = new byte[HeaderWords * WordBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(header, Magic);
        BinaryPrimitives.WriteUInt64LittleEndian(
            header.AsSpan(WordBytes), Version | ((ulong)partitionCount << VersionBits));
        BinaryPrimitives.WriteUInt64LittleEndian(header.AsSpan(2 * WordBytes), binding);
        var length = header.Length + ((long)partitionCount * ReplicaMarks.PartitionWords * WordBytes);
        if (IsOf(path, header, length))
            return;
        File.Delete(path + NewEnding);
        using (var file = SnapshotWriter.Open(path + NewEnding, FileMode.CreateNew))
        {
            // A place that the disk does not have yet would end the process when a mark is stored there.
            file.Write(header);
            file.Write(new byte[length - header.Length]);
            file.Flush(flushToDisk: true);
        }

        File.Move(path + NewEnding, path, overwrite: true);
    }

    private static bool IsOf(string path, ReadOnlySpan<byte> header, long length)
    {
        if (!File.Exists(path))
            return false;
        var found = new byte[header.Length];
        using var file = File.OpenHandle(path);
        return RandomAccess.GetLength(file) == length
            && RandomAccess.Read(file, found, 0) == found.Length
            && header.SequenceEqual(found);
    }
}
