namespace Cluster.Pile.Caching.Flights;

/// <summary>Loads missing values. One caller at a time loads the value of a key; other callers that ask for the key
/// meanwhile wait for its result. Owned by one table. Its lock protects the list of running loads, and is held only for
/// that.</summary>
/// <remarks>1. A caller joins the flight of its key. The first caller leads the flight; all others follow and wait. 2.
/// The leader looks for the value again, because the previous flight may just have stored it. 3. The leader calls its
/// factory, under no lock, at the flight's place among the waits of the process. 4. The leader stores the value. When
/// the key was changed meanwhile, it does not store, and the change stays. 5. The leader removes the flight from the
/// list and wakes the followers. Each follower looks for a separate copy. When the load failed, all followers get the
/// exception. When the leader was cancelled, or overtaken by a change, the followers join a new flight.</remarks>
internal sealed class SingleFlight<TValue>(IFlightStore<TValue> store)
    where TValue : notnull
{
    private readonly Lock _gate = new();
    private readonly Dictionary<byte[], Flight<TValue>> _flights = new(KeyBytesComparer.Instance);
    private readonly IFlightStore<TValue> _store = store;
    private int _count;

    /// <summary>The number of loads in progress.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Loads the value of a key that the caller has not found; may call its factory on this thread.</summary>
    public TValue Run<TKey>(byte[] bytes, TKey key, Func<TKey, TValue> factory, EntryOptions terms)
    {
        while (true)
        {
            var flight = Board(bytes, out var leads, out var from);
            if (leads)
                return Lead(flight, from, () => factory(key), terms);
            if (TryTake(flight, Follow(flight, from), out var value))
                return value;
        }
    }

    /// <summary>Loads the value of a key that the caller has not found. Cancelling ends the wait of a follower; a
    /// leader ends when its factory obeys the token. Other callers continue.</summary>
    public async ValueTask<TValue> RunAsync<TKey>(
        byte[] bytes,
        TKey key,
        Func<TKey, CancellationToken, ValueTask<TValue>> factory,
        EntryOptions terms,
        CancellationToken cancellationToken)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var flight = Board(bytes, out var leads, out var from);
            if (leads)
            {
                return await LeadAsync(flight, from, token => factory(key, token), terms, cancellationToken)
                    .ConfigureAwait(false);
            }

            var outcome = await FollowAsync(flight, from, cancellationToken).ConfigureAwait(false);
            if (TryTake(flight, outcome, out var value))
                return value;
        }
    }

    /// <summary>Called before the caller changes a key: a value that is being loaded for the key is not stored, and
    /// later callers load again.</summary>
    public void Overtake(ReadOnlySpan<byte> key)
    {
        // A load that begins after this fence also sees the change.
        Interlocked.MemoryBarrier();
        if (Count == 0)
            return;
        Flight<TValue>? flight;
        lock (_gate)
            RemoveNeedsLock(key, null, out flight);
        flight?.Guard.Overtake();
    }

    /// <summary>Called before the caller changes all keys.</summary>
    public void OvertakeAll()
    {
        Flight<TValue>[] flights;
        lock (_gate)
        {
            flights = [.. _flights.Values];
            _flights.Clear();
            Volatile.Write(ref _count, 0);
        }

        foreach (var flight in flights)
            flight.Guard.Overtake();
    }

    private Flight<TValue> Board(byte[] key, out bool leads, out FlightPlace? from)
    {
        from = FlightPlace.Current;
        Flight<TValue>? flight;
        lock (_gate)
        {
            leads = !_flights.TryGetValue(key, out flight);
            if (leads)
            {
                _flights.Add(key, flight = new Flight<TValue>(key));
                Interlocked.Increment(ref _count);
            }
        }

        if (from is not null && !from.TryAwait(flight!.Place))
            CacheErrors.LoadWaitsForItself();
        return flight!;
    }

    private TValue Lead(Flight<TValue> flight, FlightPlace? from, Func<TValue> factory, EntryOptions terms)
    {
        try
        {
            if (_store.TryFind(flight.Key, out var found))
            {
                Land(flight, FlightOutcome<TValue>.Of(found));
                return found;
            }

            FlightPlace.SetCurrent(flight.Place);
            TValue value;
            try
            {
                value = factory();
            }
            finally
            {
                FlightPlace.SetCurrent(from);
            }

            return StoreAndLand(flight, value, terms);
        }
        catch (Exception failure)
        {
            Land(flight, FlightOutcome<TValue>.Of(failure));
            throw;
        }
        finally
        {
            from?.EndAwait(flight.Place);
        }
    }

    private async ValueTask<TValue> LeadAsync(
        Flight<TValue> flight,
        FlightPlace? from,
        Func<CancellationToken, ValueTask<TValue>> factory,
        EntryOptions terms,
        CancellationToken cancellationToken)
    {
        try
        {
            if (_store.TryFind(flight.Key, out var found))
            {
                Land(flight, FlightOutcome<TValue>.Of(found));
                return found;
            }

            // The flow of this method ends with it, so the caller is not at this place afterwards.
            FlightPlace.SetCurrent(flight.Place);
            var value = await factory(cancellationToken).ConfigureAwait(false);
            return StoreAndLand(flight, value, terms);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            Land(flight, FlightOutcome<TValue>.Again);
            throw;
        }
        catch (Exception failure)
        {
            Land(flight, FlightOutcome<TValue>.Of(failure));
            throw;
        }
        finally
        {
            from?.EndAwait(flight.Place);
        }
    }

    private static FlightOutcome<TValue> Follow(Flight<TValue> flight, FlightPlace? from)
    {
        try
        {
            return flight.WaitForLanding();
        }
        finally
        {
            from?.EndAwait(flight.Place);
        }
    }

    private static async ValueTask<FlightOutcome<TValue>> FollowAsync(
        Flight<TValue> flight, FlightPlace? from, CancellationToken cancellationToken)
    {
        try
        {
            return await flight.Landing.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            from?.EndAwait(flight.Place);
        }
    }

    // Callers do not share objects where a copy can be had.
    private bool TryTake(Flight<TValue> flight, FlightOutcome<TValue> outcome, [MaybeNullWhen(false)] out TValue value)
    {
        outcome.ThrowIfFailed();
        if (_store.TryFind(flight.Key, out value))
            return true;
        value = outcome.Value;
        return outcome.HasValue;
    }

    private TValue StoreAndLand(Flight<TValue> flight, TValue value, EntryOptions terms)
    {
        if (value is null)
            CacheErrors.FactoryGaveNull();
        if (_store.Store(flight.Key, value, terms, flight.Guard))
        {
            // This call returns the kept value, also when a change has followed: the change came after the call.
            Land(flight, FlightOutcome<TValue>.Of(value));
            return value;
        }

        Land(flight, flight.Guard.IsOvertaken ? FlightOutcome<TValue>.Again : FlightOutcome<TValue>.Of(value));
        return _store.TryFind(flight.Key, out var current) ? current : value;
    }

    private void Land(Flight<TValue> flight, FlightOutcome<TValue> outcome)
    {
        lock (_gate)
            RemoveNeedsLock(flight.Key, flight, out _);
        flight.Land(outcome);
    }

    // An overtaken flight is off the list already; another flight may be on it for the same key.
    private void RemoveNeedsLock(ReadOnlySpan<byte> key, Flight<TValue>? only, out Flight<TValue>? removed)
    {
        var flights = _flights.GetAlternateLookup<ReadOnlySpan<byte>>();
        if (!flights.TryGetValue(key, out removed) || (only is not null && removed != only))
            return;
        flights.Remove(key);
        Interlocked.Decrement(ref _count);
    }
}
