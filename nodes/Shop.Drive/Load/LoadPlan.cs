namespace Shop.Drive.Load;

/// <summary>The plan of the load: some callers browse the catalog, the others fill carts and order.
/// Immutable.</summary>
/// <param name="CallerCount">The number of callers that run in parallel; each waits for its answer before it calls
/// again.</param>
/// <param name="SessionCount">The number of sessions that all callers together keep open.</param>
/// <param name="Seed">The seed for the random choice of calls.</param>
internal sealed record LoadPlan(int CallerCount, int SessionCount, int Seed)
{
    public const int CallerCountDefault = 96;
    public const int CallerCountMin = 2;
    public const int CallerCountMax = 4_096;
    public const int SessionCountDefault = 20_000;
    public const int SessionCountMax = 1_000_000;

    /// <summary>The percentage of a shopper's steps that add a line. The steps that neither add a line nor read the
    /// cart order it.</summary>
    public const int AddLinePercent = 55;

    /// <summary>The percentage of a shopper's steps that read the cart.</summary>
    public const int GetCartPercent = 39;

    /// <summary>The maximum quantity that a shopper adds in one step.</summary>
    public const int QuantityMax = 5;

    /// <summary>The number of different packages from which one session chooses.</summary>
    public const int PackagesPerSession = 8;

    /// <summary>The number of callers that only browse: a third, so that these go on while calls for carts wait for a
    /// new owner.</summary>
    public int BrowserCount => Math.Max(1, CallerCount / 3);

    public int ShopperCount => CallerCount - BrowserCount;

    public int SessionCountPerShopper => Math.Max(1, SessionCount / ShopperCount);
}
