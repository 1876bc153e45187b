namespace Shop.Carts;

/// <summary>The packages that one session wants to order. The cart lies in the pile of the node that owns the session's
/// key; a caller holds a copy. Only <see cref="AddLine"/> changes it, on the owner.</summary>
/// <remarks>Creates an empty cart.</remarks>
/// <param name="session">The session that the cart belongs to.</param>
public sealed class Cart(string session)
{
    /// <summary>The name under which the cluster keeps carts.</summary>
    public const string StateName = "carts";

    /// <summary>The maximum number of different packages in one cart.</summary>
    public const int LineCountMax = 64;

    private readonly List<CartLine> _lines = [];

    /// <summary>The session that the cart belongs to.</summary>
    public string Session { get; } = session;

    /// <summary>The number of changes that the cart has had.</summary>
    public int Revision { get; private set; }

    /// <summary>One line for each package. Each line refers back to the cart.</summary>
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
