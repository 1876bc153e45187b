using Shop.Carts;
using Shop.Orders;

namespace Shop.Drive.Load;

/// <summary>One caller that fills carts, reads them and orders them. It remembers the acknowledged changes of each of
/// its sessions and checks every answer against them. One loop runs it; other threads read its counts.</summary>
internal sealed class ShopperCaller(
    LoadContext context, ICart carts, IOrders orders, Random random, LoadSession[] sessions)
{
    private readonly LoadContext _context = context;
    private readonly ICart _carts = carts;
    private readonly IOrders _orders = orders;
    private readonly Random _random = random;
    private readonly LoadSession[] _sessions = sessions;
    private int _lostCount;
    private int _customerCount;

    public int OpenCount => _sessions.Count(static session => session.IsOpen);

    /// <summary>The number of sessions that were lost with a partition, including losses that no call has noticed
    /// yet.</summary>
    public int LostCount => Volatile.Read(ref _lostCount) + _sessions.Count(IsLostUnnoticed);

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            var session = _sessions[_random.Next(_sessions.Length)];
            var step = _random.Next(100);
            if (!session.IsOpen || step < LoadPlan.AddLinePercent)
                await AddLineAsync(session, cancellationToken).ConfigureAwait(false);
            else if (step < LoadPlan.AddLinePercent + LoadPlan.GetCartPercent)
                await GetCartAsync(session, cancellationToken).ConfigureAwait(false);
            else
                await OrderAsync(session, cancellationToken).ConfigureAwait(false);
        }
    }

    private bool IsLostUnnoticed(LoadSession session) =>
        session.IsOpen && _context.Watch.PlaceOf(session.Key).LossCount > session.LossCount;

    private async Task AddLineAsync(LoadSession session, CancellationToken cancellationToken)
    {
        var place = _context.Watch.PlaceOf(session.Key);
        var package = _context.PackageAt(session.FirstPackage + _random.Next(LoadPlan.PackagesPerSession));
        var quantity = _random.Next(LoadPlan.QuantityMax) + 1;
        var started = _context.Time.GetTimestamp();
        try
        {
            var totals =
                await _carts.AddLineAsync(session.Key, package, quantity, cancellationToken).ConfigureAwait(false);
            if (session.AcceptsNext(totals.Revision))
            {
                Remember(session, totals.Revision, place);
                _context.CountAnswered(started, place.Owner?.Name);
            }
            else
            {
                var problem = $"is at revision {totals.Revision}";
                await CheckLossAsync(session, started, problem, cancellationToken).ConfigureAwait(false);

                // The line that was just added has created a new cart under the same key.
                Remember(session, totals.Revision, _context.Watch.PlaceOf(session.Key));
            }
        }
        catch (Exception failure)
        {
            session.AddUncertain();
            await CountFailureAsync(
                nameof(ICart.AddLineAsync), failure, session, place, cancellationToken).ConfigureAwait(false);
        }
    }

    // If a partition is lost while a session is being opened in it, the session may or may not be lost. Such a session
    // is not counted as open.
    private void Remember(LoadSession session, int revision, SessionPlace before)
    {
        session.Acknowledge(revision);
        if (session.IsOpen)
            return;

        if (_context.Watch.PlaceOf(session.Key).LossCount == before.LossCount)
            session.Open(before.LossCount);
        else
            session.StartAnew();
    }

    private async Task<Cart?> GetCartAsync(LoadSession session, CancellationToken cancellationToken)
    {
        var place = _context.Watch.PlaceOf(session.Key);
        var started = _context.Time.GetTimestamp();
        try
        {
            var cart = await _carts.GetAsync(session.Key, cancellationToken).ConfigureAwait(false);
            if (CartProblem(session, cart) is { } problem)
            {
                await CheckLossAsync(session, started, problem, cancellationToken).ConfigureAwait(false);
                session.StartAnew();
                return null;
            }

            session.Acknowledge(cart!.Revision);
            _context.CountAnswered(started, place.Owner?.Name);
            return cart;
        }
        catch (Exception failure)
        {
            await CountFailureAsync(
                nameof(ICart.GetAsync), failure, session, place, cancellationToken).ConfigureAwait(false);
            return null;
        }
    }

    private static string? CartProblem(LoadSession session, Cart? cart)
    {
        if (cart is null)
            return "is missing";

        if (cart.Session != session.Key || !session.Accepts(cart.Revision))
            return $"answers as {cart.Session} at revision {cart.Revision}";

        return cart.Lines.Any(line => line.Cart != cart) ? "has a line that does not lead back to it" : null;
    }

    private async Task OrderAsync(LoadSession session, CancellationToken cancellationToken)
    {
        if (await GetCartAsync(session, cancellationToken).ConfigureAwait(false) is { } cart
            && await PlaceAsync(cart, cancellationToken).ConfigureAwait(false))
        {
            await RemoveAsync(session, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<bool> PlaceAsync(Cart cart, CancellationToken cancellationToken)
    {
        var customer = NextCustomer();
        var checkout = new Checkout(customer, cart);
        var started = _context.Time.GetTimestamp();
        try
        {
            var order = await _orders.PlaceAsync(checkout, cancellationToken).ConfigureAwait(false);
            if (OrderCheck.FindProblem(order, cart, customer) is { } problem)
                throw new WrongReplyException($"The order of {cart.Session} {problem}.");
            _context.CountAnswered(started, order.Node);
            return true;
        }
        catch (Exception failure)
        {
            var outcome = await _context.Judge
                .JudgeAsync(failure, started, isRepeated: false, cancellationToken).ConfigureAwait(false);
            await _context.CountFailureAsync(
                nameof(IOrders.PlaceAsync), failure, outcome, cancellationToken).ConfigureAwait(false);
            return false;
        }
    }

    private Customer NextCustomer()
    {
        _customerCount++;
        var person = new PrivateCustomer("A. Buyer", _customerCount);
        return _customerCount % 2 == 0 ? person : new CompanyCustomer("Buyers Ltd", $"T{_customerCount}", person);
    }

    private async Task RemoveAsync(LoadSession session, CancellationToken cancellationToken)
    {
        var place = _context.Watch.PlaceOf(session.Key);
        var started = _context.Time.GetTimestamp();
        try
        {
            if (await _carts.RemoveAsync(session.Key, cancellationToken).ConfigureAwait(false))
                _context.CountAnswered(started, place.Owner?.Name);
            else
                await CheckLossAsync(
                    session, started, "was not there to be removed", cancellationToken).ConfigureAwait(false);

            session.StartAnew();
        }
        catch (Exception failure)
        {
            await CountFailureAsync(
                nameof(ICart.RemoveAsync), failure, session, place, cancellationToken).ConfigureAwait(false);

            // It is unknown whether the cart was removed, so answers under this key cannot be checked any more.
            var isLost = IsLostUnnoticed(session);
            session.StartAnew();
            CountLost(isLost);
        }
    }

    // An unexpected answer is right if the partition has lost its contents meanwhile. Otherwise it is an error.
    private async Task CheckLossAsync(
        LoadSession session, long started, string problem, CancellationToken cancellationToken)
    {
        var duration = _context.Time.GetElapsedTime(started);
        var isLost = session.IsOpen
            && await _context.Judge.HasLostAsync(
                session.Key, session.LossCount, cancellationToken).ConfigureAwait(false);
        if (isLost)
        {
            _context.Ledger.CountAnswered(duration, isRemote: true);
        }
        else
        {
            var wrong = new WrongReplyException(
                $"The cart of {session.Key}, last seen at revision {session.Revision}, {problem}.");
            await _context.CountFailureAsync(
                nameof(ICart), wrong, CallOutcome.Failed, cancellationToken).ConfigureAwait(false);
        }

        session.Close();
        CountLost(isLost);
    }

    private void CountLost(bool isLost)
    {
        if (isLost)
            Interlocked.Increment(ref _lostCount);
    }

    private async Task CountFailureAsync(
        string call, Exception failure, LoadSession session, SessionPlace place, CancellationToken cancellationToken)
    {
        var outcome =
            await _context.Judge.JudgeAsync(failure, session.Key, place, cancellationToken).ConfigureAwait(false);
        await _context.CountFailureAsync(call, failure, outcome, cancellationToken).ConfigureAwait(false);
    }
}
