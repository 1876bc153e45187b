namespace Cluster.Glue.Tls;

/// <summary>Checks at intervals whether a store shows another certificate than before, and calls back once for each
/// change. Only its timer uses the remembered certificate; a check is skipped while the last one is still
/// running.</summary>
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
