namespace Shop.Drive.Load;

/// <summary>What the caller knows about one of its sessions, so that it can check every answer. Only the caller uses
/// it, except for <see cref="IsOpen"/>, <see cref="Key"/> and <see cref="LossCount"/>: the sampler reads them to count
/// open and lost sessions.</summary>
internal sealed class LoadSession(string name, int firstPackage)
{
    private int _generation;
    private volatile bool _isOpen;

    /// <summary>The key of the cart. Each order brings a new key.</summary>
    public string Key { get; private set; } = $"{name}.0";

    /// <summary>The index in the list of packages at which the session's choice begins.</summary>
    public int FirstPackage => firstPackage;

    /// <summary>Whether the cluster has acknowledged a cart for this session and the caller knows of no removal or
    /// loss.</summary>
    public bool IsOpen => _isOpen;

    /// <summary>The revision of the cart after the last acknowledged change.</summary>
    public int Revision { get; private set; }

    /// <summary>The number of changes since <see cref="Revision"/> whose outcome is unknown.</summary>
    public int UncertainCount { get; private set; }

    /// <summary>The loss count of the cart's partition when the session was opened.</summary>
    public int LossCount { get; private set; }

    /// <summary>Whether a cart that was read can have this revision.</summary>
    public bool Accepts(int revision) => revision >= Revision && revision <= Revision + UncertainCount;

    /// <summary>Whether the next change can report this revision.</summary>
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

    /// <summary>Forgets the cart after its loss.</summary>
    public void Close()
    {
        _isOpen = false;
        Revision = 0;
        UncertainCount = 0;
    }

    /// <summary>Forgets the cart after its removal, which may be uncertain, and takes a new key.</summary>
    public void StartAnew()
    {
        Close();
        _generation++;
        Key = $"{name}.{_generation}";
    }
}
