using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tls;

/// <summary>The certificate of one side, read again when its files have changed or its selector gives another one. A
/// side that opens a connection asks for it; what is found then is kept for an interval. Protected by a lock.</summary>
/// <remarks>Reads the certificate.</remarks>
/// <exception cref="CertificateException">It cannot be used.</exception>
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

    /// <summary>Calls back whenever another certificate is shown than before, which is looked for each
    /// <see cref="GlueTlsOptions.ReloadInterval"/>.</summary>
    /// <returns>Ends that; null: the certificate cannot change.</returns>
    public CertificateWatch? Watch(Action changed) =>
        _options is { CertificateFile: null, CertificateSelector: null }
            ? null
            : new CertificateWatch(this, _options.ReloadInterval, _time, changed);

    /// <summary>What to show and to trust now.</summary>
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
            // Not before: a pair whose second file is still to be written is read again.
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

    /// <summary>When the files were written last, and how long they are. Immutable.</summary>
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
