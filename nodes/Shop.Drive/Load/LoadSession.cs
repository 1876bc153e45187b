namespace Shop.Drive.Load;

/// <summary>One session as its caller remembers it, so that every answer can be checked. Only its caller touches it,
/// besides <see cref="IsOpen"/>, <see cref="Key"/> and <see cref="LossCount"/>, which the count of losses at the end
/// reads.</summary>
internal sealed class LoadSession(string name, int firstPackage)
{
    private int _generation;
    private volatile bool _isOpen;

    /// <summary>The key of the cart; new after each order.</summary>
    public string Key { get; private set; } = $"{name}.0";

    /// <summary>Where in the list of packages its choice begins.</summary>
    public int FirstPackage => firstPackage;

    /// <summary>Whether the cluster has acknowledged a cart for it that was not removed since.</summary>
    public bool IsOpen => _isOpen;

    /// <summary>The revision of the cart that the last acknowledged change reported.</summary>
    public int Revision { get; private set; }

    /// <summary>How many changes since then have an unknown outcome.</summary>
    public int UncertainCount { get; private set; }

    /// <summary>How often the cart's partition had lost its contents when the session was opened.</summary>
    public int LossCount { get; private set; }

    /// <summary>Whether a revision, as reported by a reading, is one that this session can have.</summary>
    public bool Accepts(int revision) => revision >= Revision && revision <= Revision + UncertainCount;

    /// <summary>Whether a revision is one that the next change can report.</summary>
    public bool AcceptsNext(int revision) => revision > Revision && revision <= Revision + UncertainCount + 1;

    public void Open(int lossCount)
    {
        LossCount = lossCount;
        _isOpen = true;
    }

    public void Acknowledge(int revision)
    {
        Revision = revision;
        UncertainCount = 0;
    }

    public void AddUncertain() => UncertainCount++;

    /// <summary>Forgets the cart, which was lost.</summary>
    public void Close()
    {
        _isOpen = false;
        Revision = 0;
        UncertainCount = 0;
    }

    /// <summary>Forgets the cart, which was removed or may have been, and takes a new key.</summary>
    public void StartAnew()
    {
        Close();
        _generation++;
        Key = $"{name}.{_generation}";
    }
}
