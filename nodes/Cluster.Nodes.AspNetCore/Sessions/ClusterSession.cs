using System.Security.Cryptography;
using Cluster.Nodes.AspNetCore.Blocking;
using Microsoft.AspNetCore.Http;

namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>The session of one request. It reads the session once, which also begins the idle time anew, and sends only
/// what the request has changed. Used by one thread at a time, as <c>ISession</c> is.</summary>
internal sealed class ClusterSession(
    SessionPlace place, ClusterSessionOptions options, SessionTimeout timeout, SessionRefusals refusals) : ISession
{
    private readonly SessionContent _content = new(options, refusals);
    private Guid? _id;
    private bool _isLoaded;
    private bool _isAvailable;
    private bool _isStored;
    private bool _isAccessed;

    /// <summary>Whether the request brought no valid cookie, so that the cluster cannot have the session.</summary>
    public required bool IsNewKey { get; init; }

    /// <summary>Sends the cookie of a new session. False: the response has begun without it.</summary>
    public required Func<bool> TryEstablish { get; init; }

    /// <summary>The session in the cluster.</summary>
    public SessionPlace Place => place;

    /// <summary>Whether the cluster may have the session.</summary>
    public bool MayBeStored => _isStored || !IsNewKey;

    /// <inheritdoc />
    public bool IsAvailable
    {
        get
        {
            Load();
            return _isAvailable;
        }
    }

    /// <inheritdoc />
    public string Id => IsAvailable ? IdOf().ToString() : string.Empty;

    /// <inheritdoc />
    public IEnumerable<string> Keys
    {
        get
        {
            Load();
            return _content.Keys;
        }
    }

    /// <inheritdoc />
    public bool TryGetValue(string key, [NotNullWhen(true)] out byte[]? value)
    {
        ArgumentNullException.ThrowIfNull(key);
        Load();
        return _content.TryGet(key, out value);
    }

    /// <inheritdoc />
    public void Set(string key, byte[] value)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(value);
        if (!IsAvailable)
            return;
        _content.Check(key, value);
        Establish();
        _content.Set(key, value);
    }

    /// <inheritdoc />
    public void Remove(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        Load();
        _content.Remove(key);
    }

    /// <inheritdoc />
    public void Clear()
    {
        Load();
        _content.Clear();
    }

    /// <inheritdoc />
    public async Task LoadAsync(CancellationToken cancellationToken = default)
    {
        if (_isLoaded)
            return;
        if (!await timeout.TryRunAsync(ReadAsync, cancellationToken).ConfigureAwait(false))
        {
            refusals.NoteLoadTimeout();
            throw new OperationCanceledException("Timed out loading the session.");
        }

        (_isAvailable, _isLoaded) = (true, true);
    }

    /// <inheritdoc />
    public async Task CommitAsync(CancellationToken cancellationToken = default)
    {
        if (_isLoaded && !_isAvailable)
        {
            refusals.NoteNotAvailable();
            return;
        }

        if (!await timeout.TryRunAsync(SaveAsync, cancellationToken).ConfigureAwait(false))
        {
            refusals.NoteCommitTimeout();
            throw new OperationCanceledException("Timed out committing the session.");
        }
    }

    /// <summary>Notes that a typed value was read or changed, which has begun the idle time anew.</summary>
    public void MarkAccessed() => _isAccessed = true;

    /// <summary>Stores the session without values where there is none, for a typed value.</summary>
    public async ValueTask BeginAsync(CancellationToken cancellationToken)
    {
        await LoadAsync(cancellationToken).ConfigureAwait(false);
        Establish();
        await place.TryCreateAsync(new SessionRecord { Id = IdOf() }, cancellationToken).ConfigureAwait(false);
        _isStored = true;
    }

    private Guid IdOf()
    {
        if (_id is { } known)
            return known;
        Span<byte> bytes = stackalloc byte[16];
        RandomNumberGenerator.Fill(bytes);
        _id = new Guid(bytes);
        return _id.Value;
    }

    private void Establish()
    {
        if (!TryEstablish())
        {
            throw new InvalidOperationException(
                "The session cannot be established after the response has started. Set the first value of a session "
                + "before the response begins.");
        }
    }

    private void Load()
    {
        if (_isLoaded)
            return;
        try
        {
            BlockingWait.For(new ValueTask(LoadAsync()));
        }
        catch (Exception failure)
        {
            refusals.NoteReadFailure(failure);
            (_isAvailable, _isLoaded) = (false, true);
        }
    }

    private async ValueTask ReadAsync(CancellationToken cancellationToken)
    {
        // A key that was made for this request has no session yet.
        var found = IsNewKey ? null : await place.ReadAsync(cancellationToken).ConfigureAwait(false);
        if (found is not null)
        {
            _content.Fill(found);
            (_id, _isStored) = (found.Id, true);
        }
        else if (!IsNewKey)
        {
            refusals.NoteUnknown();
        }
    }

    private async ValueTask SaveAsync(CancellationToken cancellationToken)
    {
        if (_content.IsModified)
        {
            await SendChangesAsync(cancellationToken).ConfigureAwait(false);
            _isStored = true;
            _content.MarkSaved();
        }
        else if (!_isLoaded && !_isAccessed && !IsNewKey)
        {
            await place.TouchAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    // The session may end, or another request may begin it, between two steps. The time-out of saving bounds the loop.
    private async ValueTask SendChangesAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            if (_isStored)
            {
                var result = await place.UpdateAsync(_content.ToChange(), cancellationToken).ConfigureAwait(false);
                if (result.IsApplied)
                    return;
                if (result.Bytes > 0)
                {
                    refusals.NoteTooLarge();
                    throw new SessionLimitException(
                        nameof(options.MaxSessionBytes),
                        options.MaxSessionBytes,
                        result.Bytes,
                        "The session with the changes of this request and of others");
                }
            }

            if (await place.TryCreateAsync(_content.ToRecord(IdOf()), cancellationToken).ConfigureAwait(false))
                return;
            _isStored = true;
        }
    }
}
