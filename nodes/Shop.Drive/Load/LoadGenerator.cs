using Shop.Carts;
using Shop.Catalog;
using Shop.Orders;

namespace Shop.Drive.Load;

/// <summary>Calls the shop from many callers at once, each waiting for its answer before it calls again. Started once
/// and stopped once by its owner; figures may be read at any time.</summary>
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

    /// <summary>What has been counted so far.</summary>
    public LoadFigures Figures => _context.Ledger.TakeSnapshot();

    /// <summary>The first few errors, in words.</summary>
    public IReadOnlyList<string> Failures => _context.Ledger.Failures;

    /// <summary>How many sessions are open now.</summary>
    public int SessionCount => _shoppers.Sum(static shopper => shopper.OpenCount);

    /// <summary>How many open sessions were lost so far, together with the partitions that held their carts.</summary>
    public int SessionsLost => _shoppers.Sum(static shopper => shopper.LostCount);

    /// <summary>Lets the callers begin.</summary>
    public void Start() => _callers = Task.WhenAll(
        [.. _browsers.Select(browser => Task.Run(() => browser.RunAsync(_stop.Token))),
         .. _shoppers.Select(shopper => Task.Run(() => shopper.RunAsync(_stop.Token)))]);

    /// <summary>Lets the callers finish the call that they are in.</summary>
    public async Task StopAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _callers.ConfigureAwait(false);
    }

    /// <summary>Stops the callers if they still run.</summary>
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
