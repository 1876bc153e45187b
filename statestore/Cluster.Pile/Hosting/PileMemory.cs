using Cluster.Pile.Context;
using Cluster.Pile.Layout;

namespace Cluster.Pile.Hosting;

/// <summary>The blocks of one pile, for libraries that keep memory within its budget. No pointer resolves to an object
/// in such a block. Thread-safe; a lock guards the list of tenants.</summary>
public sealed class PileMemory
{
    /// <summary>The alignment of blocks: 64 KiB.</summary>
    public const int AlignmentBytes = BlockLayout.BlockBytes;

    private readonly PileContext _context;
    private readonly Lock _gate = new();
    private IPileTenant[]? _tenants = [];

    internal PileMemory(PileContext context, string name) => (_context, Name) = (context, name);

    /// <summary>The name of the pile, for errors and metrics.</summary>
    public string Name { get; }

    /// <summary>Bytes of the budget that tenants use now, rounded up to blocks.</summary>
    public long TakenBytes => _context.Arena.BufferBlocks * BlockLayout.BlockBytes;

    /// <summary>The memory of a pile.</summary>
    /// <param name="pile">The pile.</param>
    public static PileMemory Of(LocalPile pile)
    {
        ArgumentNullException.ThrowIfNull(pile);
        return pile.Memory;
    }

    /// <summary>Returns the only tenant of a type; the first call creates it.</summary>
    /// <typeparam name="T">The type of the tenant.</typeparam>
    /// <param name="create">Creates the tenant; runs under a lock and takes no memory.</param>
    /// <exception cref="ObjectDisposedException">The pile was disposed.</exception>
    public T Tenant<T>(Func<PileMemory, T> create)
        where T : class, IPileTenant
    {
        ArgumentNullException.ThrowIfNull(create);
        return Find<T>() ?? Add(create);
    }

    /// <summary>Takes contiguous blocks.</summary>
    /// <param name="bytes">The bytes that are needed; the blocks have at least as many.</param>
    /// <exception cref="PileFullException">The budget does not hold the blocks; nothing was changed.</exception>
    public PileBlocks Take(long bytes)
    {
        var blocks = BlockLayout.BlocksFor(bytes);
        var first = _context.Arena.TryTakeForBuffer(blocks, out var freshFrom);
        if (first == 0)
        {
            _context.Pressure.MakeRoom(bytes);
            first = _context.Arena.TryTakeForBuffer(blocks, out freshFrom);
        }

        if (first == 0)
            throw _context.Pressure.Full(bytes);
        _context.Reserve.Check();
        var dirtyBlocks = Math.Max(0, Math.Min(freshFrom, first + blocks) - first);
        return new PileBlocks(
            _context.Storage.Range.Address + (nint)_context.Layout.BlockOffset(first),
            blocks * BlockLayout.BlockBytes,
            dirtyBlocks * BlockLayout.BlockBytes);
    }

    /// <summary>Gives blocks back.</summary>
    /// <param name="address">The address that <see cref="Take"/> returned.</param>
    /// <param name="bytes">The argument of that <see cref="Take"/>.</param>
    public void Return(nint address, long bytes)
    {
        var offset = (long)(address - _context.Storage.Range.Address) - _context.Layout.OriginOffset;
        _context.Arena.ReturnFromBuffer(offset >> BlockLayout.BlockBytesShift, BlockLayout.BlocksFor(bytes));
        _context.Reserve.Check();
    }

    /// <summary>Closes all tenants; later calls of <see cref="Tenant"/> throw.</summary>
    internal void Close()
    {
        IPileTenant[] tenants;
        lock (_gate)
        {
            tenants = _tenants ?? [];
            Volatile.Write(ref _tenants, null);
        }

        foreach (var tenant in tenants)
            tenant.Close();
    }

    private T? Find<T>()
        where T : class, IPileTenant
    {
        var tenants = Volatile.Read(ref _tenants);
        if (tenants is null)
            PileErrors.Disposed();
        foreach (var tenant in tenants)
        {
            if (tenant is T found)
                return found;
        }

        return null;
    }

    private T Add<T>(Func<PileMemory, T> create)
        where T : class, IPileTenant
    {
        lock (_gate)
        {
            if (Find<T>() is { } found)
                return found;
            var added = create(this);
            Volatile.Write(ref _tenants, [.. _tenants ?? [], added]);
            return added;
        }
    }
}

/// <summary>Contiguous blocks that a pile has given to a tenant. An immutable value.</summary>
/// <param name="Address">The address of the first block.</param>
/// <param name="Bytes">The bytes of the budget that the blocks use: the requested bytes, rounded up.</param>
/// <param name="DirtyBytes">The number of bytes from the start that may not be zero; all later ones are zero.</param>
public readonly record struct PileBlocks(nint Address, long Bytes, long DirtyBytes);
