using Cluster.Nodes.Consul.Client;
using Cluster.Nodes.Consul.Messages;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Consul.Storage;

/// <summary>How a table is spread over Consul's keys, the same as in docs/formats/consul-store.md: partitions, members
/// and version change in one transaction, and each read takes the cluster's properties along, so that the table of
/// another cluster is never taken for this one's. Stateless but for its keys and the identity that the store
/// owns.</summary>
internal sealed class TableKeys(ConsulClient consul, ClusterKeys keys, StoreIdentity identity)
{
    /// <summary>Reads the table, or answers <c>null</c> where a key is missing.</summary>
    public async Task<StoredSnapshot?> ReadAsync(TableConsistency consistency, CancellationToken cancellationToken)
    {
        string[] wanted = [keys.Meta, keys.Table, keys.Members, keys.Version];
        var entries = await consul.ReadKeysAsync(wanted, ModeOf(consistency), cancellationToken).ConfigureAwait(false);
        if (entries is not [var meta, var table, var members, var version])
            return null;
        DecodeMeta(meta);
        var partitions = StoredForm.Decode(table.Value, PlaceOf(keys.Table));
        var listed = StoredForm.Decode(members.Value, PlaceOf(keys.Members));
        if (ParseVersion(version.Value, keys.Version) != partitions.Version)
        {
            throw new ClusterStoreException(
                ClusterStoreError.Incompatible,
                $"{PlaceOf(keys.Version)} and {PlaceOf(keys.Table)} name different versions, so something else than "
                + "this library has changed one of them. Put both back as they were.");
        }

        return new StoredSnapshot(
            partitions with { Members = listed.Members, Deaths = listed.Deaths },
            table.ModifyIndex, members.ModifyIndex, version.ModifyIndex);
    }

    /// <summary>Reads a key and the cluster's properties at one moment, and checks that they are this
    /// cluster's.</summary>
    /// <returns>Both entries; <c>null</c> where one of them is missing.</returns>
    public async Task<(KeyValueEntry Wanted, KeyValueEntry Meta)?> ReadOwnAsync(
        string key, CancellationToken cancellationToken)
    {
        var entries = await consul.ReadKeysAsync(
            [key, keys.Meta], ModeOf(TableConsistency.Consistent), cancellationToken).ConfigureAwait(false);
        if (entries is not [var wanted, var meta])
            return null;
        DecodeMeta(meta);
        return (wanted, meta);
    }

    /// <summary>Reads the version and the digest of the table at one moment with the cluster's properties.</summary>
    /// <returns><c>null</c> where a key is missing.</returns>
    public async Task<TableStamp?> ReadStampAsync(TableConsistency consistency, CancellationToken cancellationToken)
    {
        var entries = await consul.ReadKeysAsync([keys.Meta, keys.Version], ModeOf(consistency), cancellationToken)
            .ConfigureAwait(false);
        if (entries is not [var meta, var version])
            return null;
        DecodeMeta(meta);

        // Zero was written by a version of the library that wrote no digest.
        return new TableStamp(
            ParseVersion(version.Value, keys.Version), version.Flags == 0 ? null : version.Flags);
    }

    /// <summary>Reads the properties out of their key, and refuses those of another cluster.</summary>
    public ClusterMeta DecodeMeta(KeyValueEntry entry)
    {
        var place = PlaceOf(keys.Meta);
        return identity.Check(StoredForm.DecodeMeta(entry.Value, keys.ClusterName, place), place);
    }

    /// <summary>The steps that write the first table, where no key may exist yet.</summary>
    public IEnumerable<KeyValueOperation> Create(ClusterTable table) =>
    [
        KeyValueOperation.CompareAndSet(keys.Table, EncodePartitions(table), 0),
        KeyValueOperation.CompareAndSet(keys.Members, EncodeMembers(table), 0),
        SetVersion(table, 0),
    ];

    /// <summary>The steps that replace a table, if nothing of it has changed since it was read.</summary>
    public IEnumerable<KeyValueOperation> Replace(StoredSnapshot standing, ClusterTable successor)
    {
        yield return SetVersion(successor, standing.VersionIndex);
        yield return KeyValueOperation.CompareAndSet(
            keys.Table, EncodePartitions(successor), standing.TableIndex);

        // The member list is the larger part of a small table and mostly the same. Its key then keeps its index, and
        // the version's index alone guards it.
        if (standing.Table.Members.SequenceEqual(successor.Members)
            && standing.Table.Deaths.SequenceEqual(successor.Deaths))
        {
            yield break;
        }

        yield return KeyValueOperation.CompareAndSet(
            keys.Members, EncodeMembers(successor), standing.MembersIndex);
    }

    /// <summary>What the store knows after a transaction of <see cref="Replace"/> without reading again.</summary>
    public StoredSnapshot Replaced(StoredSnapshot standing, ClusterTable successor, TransactionReply reply)
    {
        var written = (reply.Results ?? []).ToDictionary(
            result => result.KeyValue.Key, result => result.KeyValue.ModifyIndex, StringComparer.Ordinal);
        return new StoredSnapshot(
            successor, IndexOf(keys.Table, standing.TableIndex), IndexOf(keys.Members, standing.MembersIndex),
            IndexOf(keys.Version, standing.VersionIndex));

        ulong IndexOf(string key, ulong unchanged) => written.GetValueOrDefault(key, unchanged);
    }

    /// <summary>Reads what the version's key holds.</summary>
    public long ParseVersion(ReadOnlySpan<byte> value, string key)
    {
        if (long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var version))
            return version;
        throw new ClusterStoreException(
            ClusterStoreError.Incompatible,
            $"{PlaceOf(key)} should hold a table's version in digits, but holds "
            + $"'{LogText.Clean(Encoding.UTF8.GetString(value), ConsulLimits.QuoteLengthMax)}'. "
            + "Put back what was there, or use another cluster name.");
    }

    public string PlaceOf(string key) => $"The key {key} of {consul.Place}";

    private static string ModeOf(TableConsistency consistency) =>
        consistency == TableConsistency.Stale ? "stale" : "consistent";

    private KeyValueOperation SetVersion(ClusterTable table, ulong index) => KeyValueOperation.CompareAndSet(
        keys.Version, EncodeVersion(table), index, ClusterTableCodec.Digest(table));

    private static byte[] EncodePartitions(ClusterTable table) =>
        StoredForm.Encode(table with { Members = [], Deaths = [] });

    private static byte[] EncodeMembers(ClusterTable table) => StoredForm.Encode(table with { Partitions = [] });

    private static byte[] EncodeVersion(ClusterTable table) =>
        Encoding.ASCII.GetBytes(table.Version.ToString(CultureInfo.InvariantCulture));
}
