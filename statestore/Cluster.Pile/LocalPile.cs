using Cluster.Pile.Caching;
using Cluster.Pile.Cells;
using Cluster.Pile.Context;
using Cluster.Pile.Hosting;
using Cluster.Pile.Layout;
using Cluster.Pile.Mapped;
using Cluster.Pile.Memory;
using Cluster.Pile.Objects;
using Cluster.Pile.Observation;
using Cluster.Pile.Slots;
using Cluster.Pile.Snapshots;
using Cluster.Pile.Tables;
using Cluster.Pile.Views;
using Cluster.Slim;

namespace Cluster.Pile;

/// <summary>Objects in native memory of this process, outside the garbage collector; an 8-byte pointer names each.
/// Thread-safe: reads take no lock, a change locks one object. Owns its memory until <see cref="Dispose"/>.</summary>
/// <remarks>A stale pointer is always detected. A foreign or forged one is detected except with a probability of 1 in
/// 2^28. For any 64 bits of a pointer, no operation crashes or returns parts of different objects.</remarks>
public sealed class LocalPile : IPersistedPile
{
    private readonly PileContext _context;
    private readonly ObjectStore _objects;
    private readonly ValueStore _values;
    private readonly BatchReader _batches;
    private readonly ViewStore _views;
    private readonly ObservedPile _observed;
    private readonly PileSnapshots _snapshots;

    /// <summary>Reserves the addresses of a pile. Its memory is taken from the system when objects need it.</summary>
    /// <exception cref="ArgumentException">Options are wrong; the message names all of them.</exception>
    /// <exception cref="InsufficientMemoryException">The system refused the addresses.</exception>
    /// <exception cref="PileFolderException">The mapped folder cannot be attached; nothing was changed in
    /// it.</exception>
    public LocalPile(PileOptions options)
        : this(options, origin: null)
    {
    }

    /// <summary>Like the public constructor; an origin is given for a pile that continues an earlier one.</summary>
    internal LocalPile(PileOptions options, PileOrigin? origin)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.ThrowIfWrong();
        var folder = MappedFolder.Open(options, isContinued: origin is not null);
        _context = new PileContext(options, (IPileStorage?)folder ?? new ProcessStorage(options, origin));
        (_objects, _values) = (_context.Objects, _context.Values);
        (_batches, _views) = (_context.Batches, _context.Views);
        Cells = new CellTables(_context.Records, options);
        Caches = new CacheDirectory(_context.Records, _context.Values, _context.Time);
        _observed = PileMeter.Add(options.Name, _context.Statistics, Caches, _context.Snapshots);
        Memory = new PileMemory(_context, _observed.Name);
        _snapshots = new PileSnapshots(_context, options);
        folder?.Attach(_context, abandon: Dispose);
        PileDirectory.Add(Identity, this);
    }

    /// <summary>A number that no other pile has, in any process; <see cref="Piled{T}"/> finds the pile by it.</summary>
    internal ulong Identity => _context.Identity;

    /// <summary>The parts that saving and rebuilding use.</summary>
    internal PileContext Context => _context;

    PileContext IPersistedPile.Context => _context;

    /// <summary>The tables of records within this pile's budget.</summary>
    internal RecordTables Records => _context.Records;

    /// <summary>The record tables that are caches.</summary>
    internal CacheDirectory Caches { get; }

    /// <summary>The tables of cells.</summary>
    internal CellTables Cells { get; }

    /// <summary>The blocks that libraries take from this pile's budget.</summary>
    internal PileMemory Memory { get; }

    /// <summary>The memory, for tests that inspect it.</summary>
    internal NativeWindow Window => _context.Window;

    /// <summary>The addresses, for tests that ask the system about them.</summary>
    internal NativeRange Range => _context.Storage.Range;

    /// <summary>The layout of <see cref="Window"/>.</summary>
    internal BlockLayout Layout => _context.Layout;

    /// <summary>Stores bytes as a new object.</summary>
    /// <exception cref="PileFullException">The budget does not hold the object; nothing was changed.</exception>
    public PilePointer Put(ReadOnlySpan<byte> value, PutHints hints = default) =>
        _objects.Put(PayloadKind.Bytes, value, hints);

    /// <summary>Stores a copy of an object graph as a new object: any graph that Slim carries. Strings and byte arrays
    /// are stored as they are.</summary>
    /// <exception cref="SlimException">The graph cannot be carried; nothing was stored, the message names the
    /// member.</exception>
    /// <exception cref="PileFullException">The budget does not hold the object; nothing was changed.</exception>
    public PilePointer Put<T>(T value, PutHints hints = default)
        where T : notnull
    {
        ArgumentNullException.ThrowIfNull(value);
        ThrowIfDisposed();
        return _values.Put(value, hints);
    }

    /// <summary>Stores a string as a new object, with one byte per character where Latin-1 holds all of them, two
    /// otherwise.</summary>
    /// <exception cref="PileFullException">The budget does not hold the object; nothing was changed.</exception>
    public PilePointer Put(string value, PutHints hints = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        return _values.Put(value, hints);
    }

    /// <summary>Replaces an object by bytes, in place: the pointer stays valid, also when the object grows.</summary>
    /// <remarks>The object keeps its time to live unless the hints set another. This also holds for the other puts in
    /// place.</remarks>
    /// <exception cref="InvalidPilePointerException">The pointer names no live object.</exception>
    /// <exception cref="PileFullException">The budget does not hold the new object; the old object is
    /// intact.</exception>
    /// <exception cref="PileBusyException">A view is open on the object; the object is unchanged.</exception>
    public void Put(PilePointer pointer, ReadOnlySpan<byte> value, PutHints hints = default) =>
        _objects.Replace(pointer, PayloadKind.Bytes, value, hints);

    /// <summary>Replaces an object by a copy of a graph, in place: the pointer stays valid, also when the object
    /// grows.</summary>
    /// <exception cref="SlimException">The graph cannot be carried; the old object is intact.</exception>
    /// <exception cref="InvalidPilePointerException">The pointer names no live object.</exception>
    /// <exception cref="PileFullException">The budget does not hold the new object; the old object is
    /// intact.</exception>
    /// <exception cref="PileBusyException">A view is open on the object; the object is unchanged.</exception>
    public void Put<T>(PilePointer pointer, T value, PutHints hints = default)
        where T : notnull
    {
        ArgumentNullException.ThrowIfNull(value);
        ThrowIfDisposed();
        _values.Replace(pointer, value, hints);
    }

    /// <summary>Replaces an object by a string, in place: the pointer stays valid, also when the object
    /// grows.</summary>
    /// <exception cref="InvalidPilePointerException">The pointer names no live object.</exception>
    /// <exception cref="PileFullException">The budget does not hold the new object; the old object is
    /// intact.</exception>
    /// <exception cref="PileBusyException">A view is open on the object; the object is unchanged.</exception>
    public void Put(PilePointer pointer, string value, PutHints hints = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        _values.Replace(pointer, value, hints);
    }

    /// <summary>Copies the stored bytes of an object and returns their number. Allocates nothing.</summary>
    /// <remarks>A string is copied in its stored form, Latin-1 or UTF-16; a graph in a form that only this pile can
    /// read.</remarks>
    /// <exception cref="InvalidPilePointerException">The pointer names no live object.</exception>
    /// <exception cref="ArgumentException">The destination is too small; nothing was copied.</exception>
    public int Read(PilePointer pointer, Span<byte> destination)
    {
        ThrowIfDisposed();
        var found = _objects.Read(pointer, destination);
        if (found.Length > destination.Length)
            PileErrors.DestinationTooSmall(found.Length, destination.Length);
        return found.Length;
    }

    /// <summary>Returns a new copy of an object, as any of its types: a graph, a string, or a byte array.</summary>
    /// <exception cref="InvalidPilePointerException">The pointer names no live object.</exception>
    /// <exception cref="InvalidCastException">The object is of another type.</exception>
    public T Get<T>(PilePointer pointer)
        where T : notnull
    {
        ThrowIfDisposed();
        return _values.Get<T>(pointer);
    }

    /// <summary>Copies the stored bytes of many objects one after the other, as <see cref="Read"/> does for one, and
    /// returns the number of pointers that were processed. Fast for objects that are in no processor cache: memory is
    /// fetched ahead of the reads. Allocates nothing.</summary>
    /// <remarks>Fewer than all pointers are processed when the next object does not fit into the rest of the
    /// destination. Its length is then the next element of <paramref name="lengths"/>, and another call can read the
    /// rest.</remarks>
    /// <param name="pointers">The objects, in the order in which they are copied.</param>
    /// <param name="destination">Receives the bytes, without gaps.</param>
    /// <param name="lengths">Receives the length of each object; needs one element for every pointer.</param>
    /// <exception cref="InvalidPilePointerException">Some pointers name no live object; the exception has the first
    /// index. Their lengths are -1; all other objects were read.</exception>
    /// <exception cref="ArgumentException">There are fewer lengths than pointers; nothing was read.</exception>
    public int GetMany(ReadOnlySpan<PilePointer> pointers, Span<byte> destination, Span<int> lengths)
    {
        if (!TryGetMany(pointers, destination, lengths, out var count))
            PileErrors.InvalidPointer(pointers, lengths.IndexOf(BatchReader.Missing));
        return count;
    }

    /// <summary>Like <see cref="GetMany(ReadOnlySpan{PilePointer}, Span{byte}, Span{int})"/>, for objects that other
    /// threads may delete: a pointer without a live object gets the length -1. False: there are such
    /// pointers.</summary>
    /// <exception cref="ArgumentException">There are fewer lengths than pointers; nothing was read.</exception>
    public bool TryGetMany(
        ReadOnlySpan<PilePointer> pointers, Span<byte> destination, Span<int> lengths, out int count)
    {
        ThrowIfDisposed();
        return _batches.TryRead(pointers, destination, lengths, out count);
    }

    /// <summary>Returns new copies of many objects, as <see cref="Get"/> does for one. Fast for objects that are in no
    /// processor cache: memory is fetched ahead of the reads.</summary>
    /// <param name="pointers">The objects.</param>
    /// <param name="results">Receives the copies in the same order; needs one element for every pointer.</param>
    /// <exception cref="InvalidPilePointerException">Some pointers name no live object; the exception has the first
    /// index. Their results are <c>default</c>; all other objects were read.</exception>
    /// <exception cref="InvalidCastException">An object is of another type; the objects before it were
    /// read.</exception>
    /// <exception cref="ArgumentException">There are fewer results than pointers; nothing was read.</exception>
    public void GetMany<T>(ReadOnlySpan<PilePointer> pointers, Span<T> results)
        where T : notnull
    {
        ThrowIfDisposed();
        if (!_batches.TryGet(pointers, results, out var firstMiss))
            PileErrors.InvalidPointer(pointers, firstMiss);
    }

    /// <summary>Like <see cref="GetMany{T}(ReadOnlySpan{PilePointer}, Span{T})"/>, for objects that other threads may
    /// delete: a pointer without a live object gets the result null. False: there are such pointers.</summary>
    /// <exception cref="InvalidCastException">An object is of another type; the objects before it were
    /// read.</exception>
    /// <exception cref="ArgumentException">There are fewer results than pointers; nothing was read.</exception>
    public bool TryGetMany<T>(ReadOnlySpan<PilePointer> pointers, Span<T?> results)
        where T : class
    {
        ThrowIfDisposed();
        return _batches.TryGet<T>(pointers, results!, out _);
    }

    /// <summary>Reads one member of an object that was stored as a graph, for instance <c>pile.Project(p, lastName)</c>
    /// with <c>Projection.Create((Person x) =&gt; x.LastName)</c>. The object is not built. When an object on the path
    /// to the member is null, the result is the default of its type.</summary>
    /// <exception cref="InvalidPilePointerException">The pointer names no live object.</exception>
    /// <exception cref="InvalidCastException">The object, or one on the path to the member, is of another
    /// type.</exception>
    public TResult? Project<T, TResult>(PilePointer pointer, Projection<T, TResult> projection)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(projection);
        ThrowIfDisposed();
        return _values.Project(pointer, projection);
    }

    /// <summary>Returns the stored bytes of an object as a new array.</summary>
    /// <exception cref="InvalidPilePointerException">The pointer names no live object.</exception>
    /// <exception cref="InvalidCastException">The object does not hold bytes.</exception>
    public byte[] GetBytes(PilePointer pointer)
    {
        ThrowIfDisposed();
        return _objects.ReadBytes(pointer);
    }

    /// <summary>A stored string.</summary>
    /// <exception cref="InvalidPilePointerException">The pointer names no live object.</exception>
    /// <exception cref="InvalidCastException">The object is not a string.</exception>
    public string GetString(PilePointer pointer)
    {
        ThrowIfDisposed();
        return _values.GetString(pointer);
    }

    /// <summary>Returns the number of payload bytes of an object.</summary>
    /// <exception cref="InvalidPilePointerException">The pointer names no live object.</exception>
    public int SizeOf(PilePointer pointer)
    {
        ThrowIfDisposed();
        return _objects.LengthOf(pointer);
    }

    /// <summary>Opens a view on an object: its bytes in place, without a copy. Until the view is disposed, the object
    /// is pinned: it cannot be changed or deleted. Any number of views may be open on one object, also of several
    /// threads. Allocates nothing.</summary>
    /// <param name="pointer">The object.</param>
    /// <param name="file">Filled in by the compiler; reported when the view is never disposed.</param>
    /// <param name="line">Filled in by the compiler, too.</param>
    /// <exception cref="InvalidPilePointerException">The pointer names no live object.</exception>
    public PileView OpenView(
        PilePointer pointer, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        _views.Open(pointer, file, line);

    /// <summary>Enumerates all objects, in one walk over the memory: <c>foreach (var found in pile.Enumerate())</c>. An
    /// object that lives during the whole walk is returned exactly once, whatever other threads do; one that is put or
    /// deleted meanwhile may be missing. Allocates nothing, locks nothing.</summary>
    public PileEnumerable Enumerate()
    {
        ThrowIfDisposed();
        return new PileEnumerable(this);
    }

    internal SlotScan BeginScan()
    {
        ThrowIfDisposed();
        return new SlotScan(_context.Space, _context.Allocator.BlockLast);
    }

    /// <summary>Kind and length of an object that a scan has met. False: it is gone.</summary>
    internal bool TryDescribe(PilePointer pointer, SlotHeader header, out StoredObject stored) =>
        _objects.TryDescribe(pointer, header, out stored);

    internal bool TryRead(PilePointer pointer, Span<byte> destination, out int length)
    {
        ThrowIfDisposed();
        var isThere = _objects.TryRead(pointer, destination, out var found);
        length = found.Length;
        if (length > destination.Length)
            PileErrors.DestinationTooSmall(length, destination.Length);
        return isThere;
    }

    /// <summary>Whether the pointer names an object now, for tests and benchmarks that try millions of
    /// pointers.</summary>
    internal bool IsLive(PilePointer pointer) => _objects.IsLive(pointer);

    /// <summary>Deletes an object. False: the pointer names no live object.</summary>
    /// <exception cref="PileBusyException">A view is open on the object; the object was not deleted.</exception>
    public bool Delete(PilePointer pointer) => _objects.Delete(pointer);

    /// <summary>Returns the content of the pile, its memory, and the counts of its operations.</summary>
    public PileStatistics GetStatistics()
    {
        ThrowIfDisposed();
        return _context.Statistics.Collect();
    }

    /// <summary>Moves free memory together and gives the part beyond <see cref="PileOptions.ReserveBytes"/> back to the
    /// system. No pointer changes: only the hidden parts of objects that outgrew their slot move. Useful after many
    /// deletions; memory that becomes empty by itself is given back without this call.</summary>
    /// <remarks>All other operations continue. Each thread is stopped once while its free slots are collected, for
    /// microseconds and never more than a few milliseconds. A thread that uses an object that is being moved waits for
    /// a copy of at most 256 KiB. The call visits all slots, at about 10 ns each.</remarks>
    public PileCompaction Compact()
    {
        ThrowIfDisposed();
        return _context.Compact();
    }

    /// <summary>Writes a snapshot of all objects, cache tables and cell tables as they are at one moment, while other
    /// threads continue to read and write. The folder keeps the two newest snapshots; a failed save leaves them
    /// unchanged. Typed buffers and open views are not in the snapshot.</summary>
    /// <param name="folder">Created when it does not exist. For one pile only, and as trusted as the program.</param>
    /// <param name="cancellationToken">Stops the save.</param>
    /// <exception cref="PileSnapshotException">The device failed, or the copies of blocks that changed during the save
    /// took more memory than allowed; <see cref="PileSnapshotException.Problem"/> tells which.</exception>
    public Task SaveAsync(string folder, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return _snapshots.SaveAsync(folder, cancellationToken);
    }

    /// <summary>Writes snapshots repeatedly until the result or the pile is disposed: one after each interval, and
    /// earlier when memory is reused more often than <see cref="PileOptions.SnapshotReuseMargin"/> allows.</summary>
    /// <param name="folder">As for <see cref="SaveAsync"/>.</param>
    /// <param name="interval">From the end of one save to the beginning of the next.</param>
    /// <param name="failed">Called once for every save that failed; the next interval tries again.</param>
    public IDisposable SaveEvery(string folder, TimeSpan interval, Action<Exception>? failed = null)
    {
        ThrowIfDisposed();
        return _snapshots.SaveEvery(folder, interval, failed);
    }

    /// <summary>Creates a pile from the newest snapshot in a folder. Pointers that were valid at the snapshot point are
    /// valid; pointers that were created later are not. Tables have the same names. Times to live have continued since
    /// the snapshot.</summary>
    /// <param name="folder">The folder that <see cref="SaveAsync"/> wrote.</param>
    /// <param name="options">The options of the new pile; the budget may differ if it holds the content.</param>
    /// <param name="generation">The number in the names of the files; null for the newest.</param>
    /// <param name="cancellationToken">Stops the restore.</param>
    /// <exception cref="PileSnapshotException">There is no snapshot, or it is damaged; the exception has the place of
    /// the damage, and an older generation that is whole.</exception>
    /// <exception cref="PileFullException">The budget does not hold the indexes of tables.</exception>
    public static Task<LocalPile> RestoreAsync(
        string folder, PileOptions options, long? generation = null, CancellationToken cancellationToken = default) =>
        PileSnapshots.RestoreAsync(
            folder, options, generation, origin => new LocalPile(options, origin), cancellationToken);

    /// <summary>Deletes the whole content at once. Other threads wait meanwhile; all pointers are stale
    /// afterwards.</summary>
    /// <exception cref="PileBusyException">A view was open; nothing was deleted.</exception>
    public void Purge()
    {
        ThrowIfDisposed();
        _context.Purge();
    }

    /// <summary>Closes the pile: waits for running changes, and gives the memory back to the system. Later calls throw
    /// <see cref="ObjectDisposedException"/>. Views that are still open are reported to
    /// <see cref="PileOptions.ViewAbandoned"/>, after the memory was given back. A second call does nothing.</summary>
    public void Dispose()
    {
        _context.Registry.End();
        _context.Timer.Dispose();
        Memory.Close();
        PileMeter.Remove(_observed);
        PileDirectory.Remove(Identity);
        if (_context.Close() is not { } leftOpen)
            return;
        _views.End(leftOpen);
        Cells.End();
    }

    internal void ThrowIfDisposed() => _context.Registry.ThrowIfOver();
}
