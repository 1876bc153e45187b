using Cluster.Pile.Layout;

namespace Cluster.Pile.Tests.Litmus;

/// <summary>An object in the middle of a small pile that a scenario reads while things happen to it, and what it has
/// been. Owned by one scenario.</summary>
internal sealed class Victim : IDisposable
{
    public const int SizeMin = 24;

    private const int Neighbours = 5;
    private const int PutsMax = 1000;
    private const long Id = 77;
    private const long OtherId = 1000;

    private readonly int _size;
    private readonly List<PilePointer> _others = [];
    private readonly Dictionary<long, int> _lengths = [];
    private readonly ulong _header;
    private long _version;
    private long _otherVersion;

    /// <summary>Puts an object of one size among its like, and lets it grow to another when there is one.</summary>
    public Victim(int size, int grownSize)
    {
        _size = size;
        Pile = Piles.Create(PileOptions.MinBudgetBytes);
        AddOthers(Neighbours);
        Pointer = Pile.Put(Next(size));
        AddOthers(Neighbours);
        if (grownSize > 0)
            Update(grownSize);
        _header = Pile.Window.ReadWord(Offset);
    }

    public LocalPile Pile { get; }

    public PilePointer Pointer { get; }

    public bool IsDeleted { get; private set; }

    public int CurrentSize => _lengths[_version];

    private long Offset => Pile.Layout.OriginOffset + (Pointer.Granule * PilePointer.GranuleBytes);

    public void Dispose() => Pile.Dispose();

    public void Update(int size)
    {
        if (!IsDeleted)
            Pile.Put(Pointer, Next(size));
    }

    /// <summary>Updates the object until its header has the first value again.</summary>
    public void UpdateUntilSameHeader()
    {
        var size = CurrentSize;
        for (var i = 1; i < 1 << SlotHeader.VersionBits; i++)
            Update(SizeMin);
        Update(size);
    }

    public void Delete()
    {
        IsDeleted = true;
        Pile.Delete(Pointer);
    }

    /// <summary>Deletes the object and puts others until one has its slot.</summary>
    public void DeleteAndReuse()
    {
        if (IsDeleted)
            return;
        Delete();
        for (var i = 0; i < PutsMax; i++)
        {
            var other = PutOther(_size);
            if (other.Granule == Pointer.Granule)
                return;
        }
    }

    /// <summary>Empties the pile object by object and gives the memory to another size.</summary>
    public void DeleteAllAndChangeClass()
    {
        Delete();
        _others.ForEach(other => Pile.Delete(other));
        _others.Clear();
        Pile.Compact();
        PutImitation();
    }

    public void PurgeAndChangeClass()
    {
        Purge();
        PutImitation();
    }

    public void PurgeAndReturn()
    {
        PurgeAndChangeClass();
        PurgeAndRefill();
    }

    /// <summary>Empties the pile at once, and makes a slab like the first one.</summary>
    public void PurgeAndRefill()
    {
        Purge();
        AddOthers(2 * Neighbours);
    }

    /// <summary>Lets the body of the object move, and others come to where it was.</summary>
    public void Compact()
    {
        Pile.Compact();
        if (CurrentSize > 0)
            PutOther(CurrentSize);
    }

    /// <summary>Null when the bytes are one whole version, which the object had.</summary>
    public string? Problem(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < StormPayload.BytesMin)
            return $"{bytes.Length} bytes";
        StormPayload payload;
        try
        {
            payload = StormPayload.Parse(bytes);
        }
        catch (InvalidOperationException e)
        {
            return e.Message;
        }

        if (payload.ObjectId != Id)
            return $"bytes of {payload}";
        return _lengths.GetValueOrDefault(payload.Version) == bytes.Length ? null : $"no such version: {payload}";
    }

    /// <summary>Whether some version was so long.</summary>
    public bool HadLength(int length) => _lengths.ContainsValue(length);

    private void Purge()
    {
        IsDeleted = true;
        _others.Clear();
        Pile.Purge();
    }

    // One object over the whole block, each word of it like the header of the old object.
    private void PutImitation()
    {
        var words = new ulong[60_000 / sizeof(ulong)];
        words.AsSpan().Fill(_header);
        _others.Add(Pile.Put(MemoryMarshal.AsBytes(words.AsSpan())));
    }

    private void AddOthers(int count)
    {
        for (var i = 0; i < count; i++)
            PutOther(_size);
    }

    private PilePointer PutOther(int size)
    {
        var bytes = new byte[size];
        new StormPayload(OtherId, ++_otherVersion).Write(bytes);
        _others.Add(Pile.Put(bytes.AsSpan()));
        return _others[^1];
    }

    private byte[] Next(int size)
    {
        var bytes = new byte[size];
        new StormPayload(Id, ++_version).Write(bytes);
        _lengths[_version] = size;
        return bytes;
    }
}
