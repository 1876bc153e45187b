namespace Shop.Drive.Load;

/// <summary>How the load calls: one part of the callers browses the catalog, the others fill carts and order.
/// Immutable.</summary>
/// <param name="CallerCount">How many callers run at once; each waits for its answer before it calls again.</param>
/// <param name="SessionCount">How many sessions all callers keep open together.</param>
/// <param name="Seed">Seeds the choice of calls.</param>
internal sealed record LoadPlan(int CallerCount, int SessionCount, int Seed)
{
    public const int CallerCountDefault = 96;
    public const int CallerCountMin = 2;
    public const int CallerCountMax = 4_096;
    public const int SessionCountDefault = 20_000;
    public const int SessionCountMax = 1_000_000;

    /// <summary>How many of 100 steps of a shopper add a line; the next ones read the cart, the rest orders
    /// it.</summary>
    public const int AddLinePercent = 55;

    /// <summary>How many of 100 steps of a shopper read the cart.</summary>
    public const int GetCartPercent = 39;

    /// <summary>The most packages that a shopper takes at once.</summary>
    public const int QuantityMax = 5;

    /// <summary>How many different packages one session ever chooses from.</summary>
    public const int PackagesPerSession = 8;

    /// <summary>How many callers only browse: a third, so that they go on while carts wait for a new owner.</summary>
    public int BrowserCount => Math.Max(1, CallerCount / 3);

    /// <summary>How many callers fill carts and order.</summary>
    public int ShopperCount => CallerCount - BrowserCount;

    /// <summary>How many sessions each shopper keeps; at least one.</summary>
    public int SessionCountPerShopper => Math.Max(1, SessionCount / ShopperCount);
}
