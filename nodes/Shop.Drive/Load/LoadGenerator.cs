using Shop.Carts;
using Shop.Catalog;
using Shop.Orders;

namespace Shop.Drive.Load;

/// <summary>Calls the shop from many callers in parallel. Each caller waits for its answer before it calls again. The
/// owner starts and stops the generator once; any thread may read the figures.</summary>
internal sealed class LoadGenerator(LoadContext context, LoadPlan plan, ICatalog catalog, ICart carts, IOrders orders)
    : IAsyncDisposable
{
    private readonly LoadContext _context = context;
    private readonly BrowserCaller[] _browsers =
    [
        .. Enumerable.Range(0, plan.BrowserCount)
            .Select(index => new BrowserCaller(context, catalog, new Random(plan.Seed + index))),
    ];
    private readonly ShopperCaller[] _shoppers =
    [
        .. Enumerable.Range(0, plan.ShopperCount).Select(index => new ShopperCaller(
            context, carts, orders, new Random(plan.Seed - 1 - index), OpenSessions(plan, index))),
    ];
    private readonly CancellationTokenSource _stop = new();
    private Task _callers = Task.CompletedTask;

    public LoadFigures Figures => _context.Ledger.TakeSnapshot();

    /// <summary>The first few errors, as text.</summary>
    public IReadOnlyList<string> Failures => _context.Ledger.Failures;

    public int SessionCount => _shoppers.Sum(static shopper => shopper.OpenCount);

    /// <summary>The number of open sessions that were lost, together with the partitions that held their
    /// carts.</summary>
    public int SessionsLost => _shoppers.Sum(static shopper => shopper.LostCount);

    public void Start() => _callers = Task.WhenAll(
        [.. _browsers.Select(browser => Task.Run(() => browser.RunAsync(_stop.Token))),
         .. _shoppers.Select(shopper => Task.Run(() => shopper.RunAsync(_stop.Token)))]);

    /// <summary>Lets each caller finish its current call, then stops it.</summary>
    public async Task StopAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _callers.ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync().ConfigureAwait(false);
        _stop.Dispose();
    }

    private static LoadSession[] OpenSessions(LoadPlan plan, int shopper) =>
        [.. Enumerable.Range(0, plan.SessionCountPerShopper).Select(index => new LoadSession(
            string.Create(CultureInfo.InvariantCulture, $"s{shopper}-{index}"), FirstPackageOf(plan, shopper, index)))];

    private static int FirstPackageOf(LoadPlan plan, int shopper, int index) =>
        (shopper * plan.SessionCountPerShopper + index) * LoadPlan.PackagesPerSession;
}
