using System.Security.Cryptography;
using Cluster.Pile.Hosting;

namespace Cluster.Nodes.Storage.Files;

/// <summary>Keeps each value in a file of its own, in one of 256 folders that its key chooses. A file is written beside
/// the old one, flushed to the disk, and takes its place in one step, so that a reader or a crash finds the old value
/// or the new one. Writers of a folder, in this process and in others, take turns by a lock on a file. A removal is a
/// file, too; those older than a day are deleted when the folder is opened. Thread-safe.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class FileStateStorage<TKey, TValue> : IStateStorage<TKey, TValue>, IDisposable
    where TKey : notnull
{
    private const int FolderCount = 256;
    private const string ValueEnding = ".value";
    private const string RemovalEnding = ".removed";
    private const string DraftEnding = ".draft";

    private static readonly TimeSpan RemovalAge = TimeSpan.FromDays(1);

    private readonly string _folder;
    private readonly StorageFormat<TKey, TValue> _format;
    private readonly FolderTurns[] _turns;

    private FileStateStorage(string folder, StorageFormat<TKey, TValue> format, TimeProvider time)
    {
        _folder = folder;
        _format = format;
        _turns = [.. Enumerable.Range(0, FolderCount).Select(index => new FolderTurns(FolderOf(index), time))];
    }

    /// <summary>Opens a folder, which is created where it is missing.</summary>
    /// <param name="folder">The folder, for one state alone.</param>
    /// <param name="format">The form of keys and values: <see cref="StoredStateOptions{TKey,TValue}.CreateFormat"/>
    /// makes it.</param>
    /// <param name="owner">Whose values these are.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="ClusterStartException">The folder cannot be used. The message says why, and what to
    /// change.</exception>
    public static FileStateStorage<TKey, TValue> Open(
        string folder, StorageFormat<TKey, TValue> format, StorageOwner owner, TimeProvider time)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(folder);
        ArgumentNullException.ThrowIfNull(format);
        ArgumentNullException.ThrowIfNull(owner);
        ArgumentNullException.ThrowIfNull(time);
        var path = Path.GetFullPath(folder);
        var storage = new FileStateStorage<TKey, TValue>(path, format, time);
        try
        {
            storage.Prepare(owner, time.GetUtcNow());
            return storage;
        }
        catch (Exception failure)
            when (failure is IOException or InvalidDataException or UnauthorizedAccessException)
        {
            storage.Dispose();
            throw new ClusterStartException(
                ClusterExitCode.StoreUnusable,
                $"The folder '{path}' cannot keep {owner}: {failure.Message}",
                "Correct what is wrong with the folder, or use another one.",
                failure);
        }
        catch
        {
            storage.Dispose();
            throw;
        }
    }

    /// <inheritdoc />
    /// <exception cref="InvalidDataException">A file is damaged, or not of this storage. The message names
    /// it.</exception>
    public async ValueTask<StorageRecord<TValue>?> LoadAsync(TKey key, CancellationToken cancellationToken)
    {
        var bytes = _format.WriteKey(key);
        return await FindAsync(PlaceOf(bytes), bytes, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc />
    /// <exception cref="InvalidDataException">The file of the key is damaged, or not of this storage. The message names
    /// it.</exception>
    public async ValueTask<long> StoreAsync(
        TKey key, StorageRecord<TValue> record, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(record);
        try
        {
            return await ReplaceAsync(key, record, cancellationToken).ConfigureAwait(false);
        }
        catch (IOException failure) when (DiskErrors.IsFull(failure))
        {
            throw new IOException(
                $"The disk of the folder '{_folder}' is full ({failure.Message}). Make room on it.", failure);
        }
    }

    /// <summary>Closes what is open. Stores that run may fail.</summary>
    public void Dispose()
    {
        foreach (var turns in _turns)
            turns.Dispose();
    }

    private async Task<long> ReplaceAsync(
        TKey key, StorageRecord<TValue> record, CancellationToken cancellationToken)
    {
        var bytes = _format.WriteKey(key);
        var value = record.IsRemoved ? [] : _format.WriteValue(record.Value!);
        var image = RecordFile.Write(bytes, record.Revision, record.IsRemoved, value);
        var place = PlaceOf(bytes);
        using var turn = await _turns[place.Folder].TakeAsync(cancellationToken).ConfigureAwait(false);
        var present = await FindRevisionAsync(place, bytes, cancellationToken).ConfigureAwait(false);
        if (present >= record.Revision)
            return present;

        // The other file goes after the new one is there: between the two steps, the greater revision counts.
        var (target, other) = record.IsRemoved
            ? (place.Path + RemovalEnding, place.Path + ValueEnding)
            : (place.Path + ValueEnding, place.Path + RemovalEnding);
        try
        {
            await WriteAsync(place.Path + DraftEnding, image, cancellationToken).ConfigureAwait(false);
            File.Move(place.Path + DraftEnding, target, overwrite: true);
        }
        catch
        {
            // On a full disk, the drafts of many keys would take the room that one of them needs.
            File.Delete(place.Path + DraftEnding);
            throw;
        }

        PrivateFolder.Flush(FolderOf(place.Folder));
        File.Delete(other);
        return record.Revision;
    }

    private static async Task WriteAsync(string path, byte[] image, CancellationToken cancellationToken)
    {
        var options = new FileStreamOptions
        {
            Mode = FileMode.Create,
            Access = FileAccess.Write,
            Options = FileOptions.Asynchronous,
            BufferSize = 0,
        };
        var draft = new FileStream(path, options);
        await using (draft.ConfigureAwait(false))
        {
            await draft.WriteAsync(image, cancellationToken).ConfigureAwait(false);
            draft.Flush(flushToDisk: true);
        }
    }

    private static async Task<byte[]?> TryReadAsync(string path, CancellationToken cancellationToken)
    {
        try
        {
            return await File.ReadAllBytesAsync(path, cancellationToken).ConfigureAwait(false);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    private async Task<StorageRecord<TValue>?> FindAsync(
        (int Folder, string Path) place, byte[] key, CancellationToken cancellationToken)
    {
        var value = await FindFileAsync(place.Path + ValueEnding, key, cancellationToken).ConfigureAwait(false);
        var removal = await FindFileAsync(place.Path + RemovalEnding, key, cancellationToken).ConfigureAwait(false);

        // Between the two reads, a store may have written a value and deleted the removal.
        if (value is null && removal is null)
            value = await FindFileAsync(place.Path + ValueEnding, key, cancellationToken).ConfigureAwait(false);
        if (removal is { } removed && removed.Revision > (value?.Revision ?? 0))
            return StorageRecord.Removed<TValue>(removed.Revision);
        return value is { } found
            ? new StorageRecord<TValue>(_format.ReadValue(found.Value.Span), found.Revision)
            : null;
    }

    private static async Task<long> FindRevisionAsync(
        (int Folder, string Path) place, byte[] key, CancellationToken cancellationToken)
    {
        var value = await FindFileAsync(place.Path + ValueEnding, key, cancellationToken).ConfigureAwait(false);
        var removal = await FindFileAsync(place.Path + RemovalEnding, key, cancellationToken).ConfigureAwait(false);
        return Math.Max(value?.Revision ?? 0, removal?.Revision ?? 0);
    }

    private static async Task<RecordFile?> FindFileAsync(
        string path, byte[] key, CancellationToken cancellationToken) =>
        await TryReadAsync(path, cancellationToken).ConfigureAwait(false) is { } image
            ? RecordFile.Read(path, image, key)
            : null;

    private string FolderOf(int index) => Path.Combine(_folder, index.ToString("x2", CultureInfo.InvariantCulture));

    private (int Folder, string Path) PlaceOf(byte[] key)
    {
        var hash = SHA256.HashData(key);
        return (hash[0], Path.Combine(FolderOf(hash[0]), Convert.ToHexStringLower(hash)));
    }

    private void Prepare(StorageOwner owner, DateTimeOffset now)
    {
        PrivateFolder.Create(_folder);
        if (PrivateFolder.FindRisk(_folder) is { } risk)
        {
            throw new IOException(
                $"another user could change the values: {risk}. Give the folder to the user of this process with mode "
                + "0700.");
        }

        OwnerFile.Claim(_folder, owner);
        CreateFolders();
        DeleteOldRemovals(now - RemovalAge);
    }

    private void CreateFolders()
    {
        for (var index = 0; index < FolderCount; index++)
            PrivateFolder.Create(FolderOf(index));
    }

    private void DeleteOldRemovals(DateTimeOffset before)
    {
        var removals = Directory.EnumerateFiles(_folder, "*" + RemovalEnding, SearchOption.AllDirectories);
        foreach (var path in removals.Where(path => File.GetLastWriteTimeUtc(path) < before.UtcDateTime))
            DeleteRemoval(path);
    }

    // A process that died between its two steps has left a value beside the removal. The value goes first: without the
    // removal, an older value would come back.
    private static void DeleteRemoval(string path)
    {
        var valuePath = Path.ChangeExtension(path, ValueEnding);
        try
        {
            if (File.Exists(valuePath) && RevisionOf(valuePath) < RevisionOf(path))
            {
                File.Delete(valuePath);
                PrivateFolder.Flush(Path.GetDirectoryName(path)!);
            }
        }
        catch (InvalidDataException)
        {
            // One of the files is damaged. Loads of the key are refused with its path.
            return;
        }

        File.Delete(path);
    }

    private static long RevisionOf(string path) => RecordFile.ReadRevision(path, File.ReadAllBytes(path));
}
