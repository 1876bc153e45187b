namespace Cluster.Glue.Tls;

/// <summary>Checks at intervals whether a store shows another certificate than before, and calls back once for each
/// change. Only its timer uses the remembered certificate; a check is skipped while the last one is still
/// running. The failure of a check or of the callback is logged, and the next check tries again.</summary>
internal sealed class CertificateWatch : IAsyncDisposable
{
    private readonly CertificateStore _certificates;
    private readonly Action _changed;
    private readonly TlsLog _log;
    private readonly ITimer _timer;
    private string? _shown;
    private int _isLooking;

    public CertificateWatch(
        CertificateStore certificates, TimeSpan interval, TimeProvider time, TlsLog log, Action changed)
    {
        _certificates = certificates;
        _changed = changed;
        _log = log;
        _shown = Shown;
        _timer = time.CreateTimer(static watch => ((CertificateWatch)watch!).Look(), this, interval, interval);
    }

    private string? Shown => _certificates.Current.Own?.TargetCertificate.Thumbprint;

    public ValueTask DisposeAsync() => _timer.DisposeAsync();

    [SuppressMessage("Design", "CA1031", Justification = "An exception on the thread of a timer ends the process.")]
    private void Look()
    {
        if (Interlocked.Exchange(ref _isLooking, 1) == 1)
            return;
        try
        {
            var shown = Shown;
            if (shown == _shown)
                return;
            _changed();
            _shown = shown;
        }
        catch (Exception exception)
        {
            _log.CheckFailed(exception);
        }
        finally
        {
            Volatile.Write(ref _isLooking, 0);
        }
    }
}
