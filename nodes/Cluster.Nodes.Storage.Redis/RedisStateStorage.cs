using StackExchange.Redis;

namespace Cluster.Nodes.Storage.Redis;

/// <summary>Keeps each value in a hash of Redis with two fields, <c>revision</c> and <c>value</c>; a removal has only
/// the revision, and goes after a day. A script compares and writes in one step. The key in Redis is the prefix and the
/// canonical bytes of the key. Immutable but for the connection.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class RedisStateStorage<TKey, TValue>(
    RedisConnection connection, string keyPrefix, StorageFormat<TKey, TValue> format)
    : IStateStorage<TKey, TValue>, IAsyncDisposable
    where TKey : notnull
{
    // Lua has no 64-bit integers, so revisions are texts of equal length, which compare as the numbers do.
    private const string RevisionForm = "D19";
    private const string Script =
        """
        local present = redis.call('HGET', KEYS[1], 'revision')
        if present and present >= ARGV[1] then
            return present
        end
        if ARGV[2] == '1' then
            redis.call('DEL', KEYS[1])
            redis.call('HSET', KEYS[1], 'revision', ARGV[1])
            redis.call('PEXPIRE', KEYS[1], ARGV[4])
        else
            redis.call('HSET', KEYS[1], 'revision', ARGV[1], 'value', ARGV[3])
            redis.call('PERSIST', KEYS[1])
        end
        return ARGV[1]
        """;

    private static readonly RedisValue[] Fields = ["revision", "value"];
    private static readonly long RemovalMilliseconds = (long)TimeSpan.FromDays(1).TotalMilliseconds;

    private readonly byte[] _prefix = Encoding.UTF8.GetBytes(keyPrefix);

    public async ValueTask<StorageRecord<TValue>?> LoadAsync(TKey key, CancellationToken cancellationToken)
    {
        var place = PlaceOf(key);
        var redis = await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        var fields = await redis.HashGetAsync(place, Fields).ConfigureAwait(false);
        if (fields[0].IsNull)
            return null;
        var revision = ReadRevision(fields[0], place);
        return fields[1].IsNull
            ? StorageRecord.Removed<TValue>(revision)
            : new StorageRecord<TValue>(format.ReadValue((byte[])fields[1]!), revision);
    }

    public async ValueTask<long> StoreAsync(
        TKey key, StorageRecord<TValue> record, CancellationToken cancellationToken)
    {
        var place = PlaceOf(key);
        RedisValue[] arguments =
        [
            record.Revision.ToString(RevisionForm, CultureInfo.InvariantCulture),
            record.IsRemoved ? "1" : "0",
            record.IsRemoved ? [] : format.WriteValue(record.Value!),
            RemovalMilliseconds,
        ];
        var redis = await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        var answer = await redis.ScriptEvaluateAsync(Script, new[] { place }, arguments).ConfigureAwait(false);
        return ReadRevision((RedisValue)answer, place);
    }

    public ValueTask DisposeAsync() => connection.DisposeAsync();

    private static long ReadRevision(RedisValue text, RedisKey place) =>
        long.TryParse((string?)text, NumberStyles.None, CultureInfo.InvariantCulture, out var revision)
            ? revision
            : throw new InvalidDataException(
                $"The key '{LogText.Clean(place.ToString())}' in Redis has the revision '{LogText.Clean($"{text}")}', "
                + "which this library did not write. Choose a keyPrefix that nothing else uses.");

    private RedisKey PlaceOf(TKey key) => (byte[])[.. _prefix, .. format.WriteKey(key)];
}
