namespace Cluster.Testing;

/// <summary>A fact whose process has its own small disk, which needs the right to mount one.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresSmallDiskFactAttribute()
    : RequiresFactAttribute(SmallDisk.WhatIsMissing);
