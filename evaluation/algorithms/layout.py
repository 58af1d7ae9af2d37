"""Where the nodes of a claim graph are drawn, a page of at most 300 at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx

from evaluation.algorithms.claim_graph import ClaimGraph, components, to_networkx

MAX_NODES = 300


@dataclass(frozen=True)
class Point:
    """A place on the page, both coordinates in [-1, 1]."""

    x: float
    y: float


def pages(graph: ClaimGraph, max_nodes: int = MAX_NODES) -> list[tuple[int, ...]]:
    """Divide the claims into pages of whole components, the largest component first.

    Parameters
    ----------
    graph
        The claim graph.
    max_nodes
        Most nodes on a page.

    Returns
    -------
    list of tuple
        Row numbers on each page; every claim is on exactly one.

    Raises
    ------
    ValueError
        If `max_nodes` is below 1.

    Notes
    -----
    A component larger than a page is cut along a breadth-first walk from its best connected claim, so that
    neighbours mostly stay together. An empty graph has no page.
    """
    if max_nodes < 1:
        raise ValueError(f"a page needs room for at least one claim, not {max_nodes}")
    whole = to_networkx(graph)
    filled: list[list[int]] = []
    for component in components(graph):
        walk = component if len(component) <= max_nodes else _walk(whole, component)
        for start in range(0, len(walk), max_nodes):
            part = walk[start : start + max_nodes]
            if filled and len(filled[-1]) + len(part) <= max_nodes:
                filled[-1].extend(part)
            else:
                filled.append(list(part))
    return [tuple(page) for page in filled]


def positions(graph: ClaimGraph, shown: Sequence[int], seed: int = 0) -> dict[int, Point]:
    """Lay out one page by springs between similar claims.

    Parameters
    ----------
    graph
        The claim graph.
    shown
        Row numbers on the page, at most 300.
    seed
        Seed of the starting positions; the same seed gives the same picture.

    Returns
    -------
    dict
        Row number to point.

    Raises
    ------
    ValueError
        If more than 300 claims are to be shown: beyond that a layout takes too long and nobody can read it.

    Notes
    -----
    One claim lies in the middle. Cost: about a second for 300 claims.

    References
    ----------
    T. M. J. Fruchterman and E. M. Reingold, "Graph Drawing by Force-directed Placement", Software: Practice and
    Experience 21 (1991), as in networkx.
    """
    if len(shown) > MAX_NODES:
        raise ValueError(f"{len(shown)} claims do not fit on one page; show at most {MAX_NODES}")
    page = to_networkx(graph).subgraph(shown)
    ordered: nx.Graph[int] = nx.Graph()
    ordered.add_nodes_from(sorted(page.nodes))
    ordered.add_weighted_edges_from(sorted(page.edges(data="weight")))
    placed = nx.spring_layout(ordered, weight="weight", seed=seed)
    return {node: Point(round(float(x), 4), round(float(y), 4)) for node, (x, y) in placed.items()}


def _walk(whole: nx.Graph[int], component: Sequence[int]) -> tuple[int, ...]:
    start = min(component, key=lambda node: (-whole.degree(node), node))
    return (start, *(node for _, node in nx.bfs_edges(whole, start, sort_neighbors=sorted)))
