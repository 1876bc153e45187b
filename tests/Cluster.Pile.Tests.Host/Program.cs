using Cluster.Pile.Tests.Host;

// A process that holds a pile and nothing else, for tests that limit or measure a process as a whole. The first
// argument says what it does.
switch (args)
{
    case [nameof(FullCollections), var count]:
        FullCollections.Run(long.Parse(count, null));
        return 0;
    case [nameof(FullCollections), FullCollections.Cache, var count]:
        FullCollections.RunCache(long.Parse(count, null));
        return 0;
    case [nameof(FilledPile), var budget]:
        return FilledPile.Run(long.Parse(budget, null));
    case [nameof(KillLoop), var mode, var folder, var seed]:
        return KillLoop.Run(mode, folder, int.Parse(seed, null));
    case [nameof(TypeVersions), var mode, var assembly, var folder, .. var pointers]:
        return await TypeVersions.RunAsync(mode, assembly, folder, pointers);
    case [nameof(FullDisk), var mode, var folder]:
        return await FullDisk.RunAsync(mode, folder);
    default:
        Console.Error.WriteLine(
            $"Expected {nameof(FullCollections)} [{FullCollections.Cache}] COUNT, {nameof(FilledPile)} BUDGET, "
            + $"{nameof(KillLoop)} MODE FOLDER SEED, {nameof(TypeVersions)} MODE ASSEMBLY FOLDER POINTER... or "
            + $"{nameof(FullDisk)} MODE FOLDER.");
        return 1;
}
