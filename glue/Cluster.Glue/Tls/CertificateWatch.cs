namespace Cluster.Glue.Tls;

/// <summary>Looks at times whether a store shows another certificate than before, and says so once for each change. Its
/// timer alone uses what it remembers; a look that comes while the last one still works is skipped.</summary>
internal sealed class CertificateWatch : IAsyncDisposable
{
    private readonly CertificateStore _certificates;
    private readonly Action _changed;
    private readonly ITimer _timer;
    private string? _shown;
    private int _isLooking;

    public CertificateWatch(CertificateStore certificates, TimeSpan interval, TimeProvider time, Action changed)
    {
        _certificates = certificates;
        _changed = changed;
        _shown = Shown;
        _timer = time.CreateTimer(static watch => ((CertificateWatch)watch!).Look(), this, interval, interval);
    }

    private string? Shown => _certificates.Current.Own?.TargetCertificate.Thumbprint;

    public ValueTask DisposeAsync() => _timer.DisposeAsync();

    private void Look()
    {
        if (Interlocked.Exchange(ref _isLooking, 1) == 1)
            return;
        try
        {
            var shown = Shown;
            if (shown == _shown)
                return;
            _shown = shown;
            _changed();
        }
        finally
        {
            Volatile.Write(ref _isLooking, 0);
        }
    }
}
