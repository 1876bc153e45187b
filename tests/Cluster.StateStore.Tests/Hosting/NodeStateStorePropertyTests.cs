using Cluster.StateStore.Hosting;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Compares the whole store with a dictionary, with a manual clock: random operations, expiry, and moves
/// between nodes.</summary>
public sealed class NodeStateStorePropertyTests
{
    private const int Seeds = 25;
    private const int Steps = 400;

    [Fact]
    public async Task Store_RandomOperations_BehavesLikeADictionaryWithExpiry()
    {
        for (var seed = 0; seed < Seeds; seed++)
        {
            await using var cluster = new SimulatedCluster(nodes: 2, partitions: 2);
            var run = new Run(cluster, new Random(seed), $"seed {seed}");
            for (var step = 0; step < Steps; step++)
                await run.StepAsync();
            await run.CheckAllAsync();
        }
    }

    /// <summary>The run of one seed: the cluster, the model, and the checks that compare them.</summary>
    private sealed class Run(SimulatedCluster cluster, Random random, string when)
    {
        private readonly Dictionary<string, (string Owner, int Lines, DateTimeOffset? Expiry, StateVersion Version)> _model = [];
        private StateVersion _last;

        public async Task StepAsync()
        {
            var carts = new StateClient<string, Cart>(SimulatedCluster.Carts, Router());
            var key = $"k{random.Next(20)}";
            switch (random.Next(100))
            {
                case < 25: await PutAsync(carts, key); break;
                case < 40: await PutIfVersionAsync(carts, key); break;
                case < 50: Check(await carts.RemoveAsync(key) == _model.Remove(key), "remove"); break;
                case < 60: await TouchAsync(carts, key); break;
                case < 75: await AddLineAsync(carts, key); break;
                case < 90: await CheckKeyAsync(carts, key); break;
                case < 96: Advance(); break;
                case < 99: await MoveAsync(); break;
                default: cluster.Advance(TimeSpan.FromSeconds(1)); Forget(); break;
            }
        }

        public async Task CheckAllAsync()
        {
            var carts = new StateClient<string, Cart>(SimulatedCluster.Carts, cluster[0].Router);
            for (var number = 0; number < 20; number++)
                await CheckKeyAsync(carts, $"k{number}");

            // Records whose life is over go away by themselves.
            await cluster.UntilAsync(() =>
            {
                Forget();
                return cluster.Nodes.Sum(node => node.RecordCount) == _model.Count;
            });
        }

        private StateRouter Router() => random.Next(3) switch
        {
            0 => cluster[0].Router,
            1 => cluster[1].Router,
            _ => cluster.Client,
        };

        private async Task PutAsync(StateClient<string, Cart> carts, string key)
        {
            var (owner, expiry) = (new string('x', random.Next(2_000)), RandomExpiry());
            var version = await carts.PutAsync(key, new Cart { Owner = owner }, expiry.Expiry);
            Remember(key, (owner, 0, expiry.At, version));
        }

        private async Task PutIfVersionAsync(StateClient<string, Cart> carts, string key)
        {
            var present = _model.TryGetValue(key, out var entry) ? entry.Version : StateVersion.None;
            var expected = random.Next(2) == 0 ? present : _last;
            var expiry = RandomExpiry();
            var version = await carts.PutIfVersionAsync(key, new Cart { Owner = "if" }, expected, expiry.Expiry);
            Check(version is not null == (expected == present), "conditional put");
            if (version is { } written)
                Remember(key, ("if", 0, expiry.At, written));
        }

        private async Task TouchAsync(StateClient<string, Cart> carts, string key)
        {
            var expiry = RandomExpiry();
            var touched = await carts.TouchAsync(key, expiry.Expiry);
            Check(touched == _model.TryGetValue(key, out var entry), "touch");
            if (touched)
                _model[key] = entry with { Expiry = expiry.At };
        }

        private async Task AddLineAsync(StateClient<string, Cart> carts, string key)
        {
            var count = await carts.UpdateAsync(key, new AddLine("sku", 1));
            var entry = _model.TryGetValue(key, out var present) ? present : ("", 0, null, StateVersion.None);
            Check(count == entry.Lines + 1, "update");
            var found = await carts.GetWithVersionAsync(key);
            Remember(key, entry with { Lines = count, Version = found!.Value.Version });
        }

        private async Task CheckKeyAsync(StateClient<string, Cart> carts, string key)
        {
            var found = await carts.GetWithVersionAsync(key);
            var isThere = _model.TryGetValue(key, out var entry);
            Check(found is not null == isThere, $"presence of {key}");
            if (found is not { } value)
                return;
            Check(value.Version == entry.Version, $"version of {key}");
            Check(value.Value.Owner == entry.Owner && value.Value.Lines.Count == entry.Lines, $"value of {key}");
        }

        private void Advance()
        {
            var span = TimeSpan.FromMilliseconds(random.Next(20_000));
            cluster.Advance(span);
            Forget();
        }

        private void Forget()
        {
            var now = cluster.Time.GetUtcNow();
            foreach (var (key, entry) in _model.ToArray())
            {
                if (entry.Expiry <= now)
                    _model.Remove(key);
            }
        }

        private async Task MoveAsync()
        {
            var partition = new Contracts.PartitionId(random.Next(2));
            await cluster.MoveAsync(partition, cluster.OtherThan(cluster.OwnerOf(partition)));
            Forget();
        }

        private void Remember(string key, (string Owner, int Lines, DateTimeOffset? Expiry, StateVersion Version) entry)
        {
            if (_model.TryGetValue(key, out var before))
                Check(entry.Version > before.Version, "versions rise");
            _model[key] = entry;
            _last = entry.Version;
        }

        private (StateExpiry Expiry, DateTimeOffset? At) RandomExpiry()
        {
            if (random.Next(3) == 0)
                return (StateExpiry.Never, null);
            var span = TimeSpan.FromTicks(random.NextInt64(1, TimeSpan.TicksPerMinute));
            var at = cluster.Time.GetUtcNow() + span;
            return (random.Next(2) == 0 ? StateExpiry.After(span) : StateExpiry.At(at), at);
        }

        private void Check(bool holds, string what) => Assert.True(holds, $"{when}: {what}");
    }
}
