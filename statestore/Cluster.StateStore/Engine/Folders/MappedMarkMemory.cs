using System.IO.MemoryMappedFiles;

namespace Cluster.StateStore.Engine.Folders;

/// <summary>The words of a file that is mapped into the memory of the process. The system keeps what was stored when
/// the process ends at any moment. Owned by the folder of the node.</summary>
internal sealed class MappedMarkMemory : IMarkMemory, IDisposable
{
    private const int WordBytes = sizeof(ulong);

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;

    /// <summary>Maps a whole file.</summary>
    /// <param name="path">The file, which has its place on the disk already.</param>
    public MappedMarkMemory(string path)
    {
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.Open);
        _view = _file.CreateViewAccessor();
    }

    /// <inheritdoc />
    public ulong this[int index]
    {
        get => _view.ReadUInt64((long)index * WordBytes);
        set
        {
            // No store of the caller may come later than this one.
            Thread.MemoryBarrier();
            _view.Write((long)index * WordBytes, value);
        }
    }

    /// <summary>Brings everything to the disk.</summary>
    public void Flush() => _view.Flush();

    /// <inheritdoc />
    public void Dispose()
    {
        _view.Dispose();
        _file.Dispose();
    }
}
