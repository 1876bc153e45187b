namespace Cluster.Pile.Views;

/// <summary>How long one change has waited for views so far. Mutable, owned by the method that declares it; the time
/// starts with the first wait.</summary>
internal struct WaitBudget
{
    private bool _hasBegun;
    private long _began;

    /// <summary>The rest of the time; zero or less when it is over.</summary>
    public TimeSpan Left(TimeSpan whole, TimeProvider clock)
    {
        if (!_hasBegun)
            (_hasBegun, _began) = (true, clock.GetTimestamp());
        return whole - clock.GetElapsedTime(_began);
    }
}
