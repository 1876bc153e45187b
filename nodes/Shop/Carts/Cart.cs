namespace Shop.Carts;

/// <summary>What one session has put aside. It lives in the pile of the node that owns the session's key; what a caller
/// holds is a copy. Changed only by <see cref="AddLine"/>, on the owner.</summary>
/// <remarks>An empty cart.</remarks>
/// <param name="session">Whose it is.</param>
public sealed class Cart(string session)
{
    /// <summary>The name under which the cluster keeps carts.</summary>
    public const string StateName = "carts";

    /// <summary>The most different packages in one cart.</summary>
    public const int LineCountMax = 64;

    private readonly List<CartLine> _lines = [];

    /// <summary>Whose it is.</summary>
    public string Session { get; } = session;

    /// <summary>How many changes it has seen.</summary>
    public int Revision { get; private set; }

    /// <summary>One line per package; each refers back to the cart.</summary>
    public IReadOnlyList<CartLine> Lines => _lines;

    /// <summary>The sum of all quantities.</summary>
    public int Quantity => _lines.Sum(static line => line.Quantity);

    internal void Add(string package, int quantity)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(quantity);
        if (_lines.Find(known => known.Package == package) is { } line)
            line.Add(quantity);
        else if (_lines.Count < LineCountMax)
            _lines.Add(new CartLine(this, package, quantity));
        else
            throw new InvalidOperationException($"The cart of {Session} already has {LineCountMax} lines.");

        Revision++;
    }
}
