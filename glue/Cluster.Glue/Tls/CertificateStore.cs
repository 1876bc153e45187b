using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tls;

/// <summary>The certificate of one side. It is read again when its files have changed or its selector returns another
/// one. Each new connection asks for it; files are checked at most once per interval. Protected by a lock.</summary>
/// <remarks>Reads the certificate.</remarks>
/// <exception cref="CertificateException">The certificate cannot be used.</exception>
internal sealed class CertificateStore(GlueTlsOptions options, TimeProvider time, ILoggerFactory loggerFactory)
{
    private readonly Lock _gate = new();
    private readonly GlueTlsOptions _options = options;
    private readonly TimeProvider _time = time;
    private readonly TlsLog _log = new TlsLog(loggerFactory.CreateLogger<TlsLog>());
    private TlsCertificate _current = TlsCertificateReader.Read(options);
    private FileStamps _stamps = FileStamps.Of(options);
    private string? _lastProblem;
    private long _lookedAt = time.GetTimestamp();

    /// <summary>Calls back whenever the shown certificate has changed. Checks every
    /// <see cref="GlueTlsOptions.ReloadInterval"/>.</summary>
    /// <returns>Disposing it ends the checks; null: the certificate cannot change.</returns>
    public CertificateWatch? Watch(Action changed) =>
        _options is { CertificateFile: null, CertificateSelector: null }
            ? null
            : new CertificateWatch(this, _options.ReloadInterval, _time, _log, changed);

    /// <summary>The certificate to show, and the authorities to trust, at this moment.</summary>
    public TlsCertificate Current
    {
        get
        {
            lock (_gate)
            {
                RenewNeedsLock();
                return _current;
            }
        }
    }

    private void RenewNeedsLock()
    {
        var isSelected = _options is { CertificateFile: null, CertificateSelector: not null };
        if (!isSelected && _time.GetElapsedTime(_lookedAt) < _options.ReloadInterval)
            return;
        _lookedAt = _time.GetTimestamp();
        var stamps = FileStamps.Of(_options);
        if (!isSelected && stamps == _stamps)
            return;
        try
        {
            _current = TlsCertificateReader.Read(_options);
            // Set only after a successful read: if the second file of a pair is not written yet, the pair is read
            // again.
            _stamps = stamps;
            _lastProblem = null;
        }
        catch (Exception exception)
        {
            if (exception.Message != _lastProblem)
                _log.NotRenewed(exception.Message);
            _lastProblem = exception.Message;
        }
    }

    /// <summary>The time of the last write and the length of each file. Immutable.</summary>
    private readonly record struct FileStamps(
        (DateTime, long) Certificate, (DateTime, long) Key, (DateTime, long) Authority)
    {
        public static FileStamps Of(GlueTlsOptions options) =>
            new(Of(options.CertificateFile), Of(options.KeyFile), Of(options.AuthorityFile));

        private static (DateTime, long) Of(string? path)
        {
            if (path is null)
                return default;
            var file = new FileInfo(path);
            return file.Exists ? (file.LastWriteTimeUtc, file.Length) : default;
        }
    }
}
